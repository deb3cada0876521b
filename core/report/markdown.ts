import { jsonText } from '../base/json-text';
import { escapeInline } from './escape';
import { markdownValue } from './markdown-value';
import { DEFAULT_LIMITS, type Report, type ReportLimits } from './types';

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
    blocks.push(markdownValue(section.value, section.format, place));
  }
  const facts = Object.entries(report.meta ?? {}).filter(([, value]) => value !== null);
  if (facts.length > 0) {
    blocks.push(
      '---',
      facts.map(([name, value]) => `- ${escapeInline(name)}: ${escapeInline(jsonText(value))}`).join('\n'),
    );
  }
  return `${blocks.join('\n\n')}\n`;
}
