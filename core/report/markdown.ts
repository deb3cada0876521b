import { emptyText, factLines } from './about';
import { escapeInline } from './escape';
import { markdownValue } from './markdown-value';
import { DEFAULT_LIMITS, type Report, type ReportLimits, type ReportSection } from './types';

/**
 * A report as Markdown (CommonMark with GitHub tables). The same report gives the same text. Values are data:
 * nothing in them can load an image, hide a link, run a script or break out of its section.
 */
export function renderMarkdownReport(report: Report, limits: Partial<ReportLimits> = {}): string {
  const place = { limits: { ...DEFAULT_LIMITS, ...limits }, level: 2 };
  const blocks = report.title === '' ? [] : [`# ${escapeInline(report.title)}`];
  for (const section of report.sections) {
    if (section.title !== '') {
      blocks.push(`## ${escapeInline(section.title)}`);
    }
    blocks.push(...sectionBlocks(section, place));
  }
  const facts = factLines(report.meta ?? {});
  if (facts.length > 0) {
    blocks.push('---', facts.map(([name, text]) => `- ${escapeInline(name)}: ${escapeInline(text)}`).join('\n'));
  }
  return `${blocks.join('\n\n')}\n`;
}

/** Blocks of a section: its missing parts before its rows. */
function sectionBlocks(section: ReportSection, place: { limits: ReportLimits; level: number }): string[] {
  const nothing = emptyText(section);
  if (nothing !== undefined) return [`_${escapeInline(nothing)}_`];
  const lacks = (section.lacks ?? []).map((line) => `_Missing: ${escapeInline(line)}_`);
  return [...lacks, markdownValue(section.value, section.format, place)];
}
