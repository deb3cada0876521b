import { visibleText } from './visible-text';

/** Text with its lines, and with what nobody would see of it (it hides what a text says) as `\\u202e`. */
export function plainText(text: string): string {
  return visibleText(text.replace(/\r\n?/g, '\n'));
}

/**
 * Text as one line of Markdown that shows exactly this text: no emphasis, link, image, HTML, table or block
 * can come out of it, in any place of a line.
 */
export function escapeInline(text: string): string {
  return plainText(text)
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/&(?=[#\w]+;)/g, '&amp;')
    .replace(/[\\`*[\]|~]/g, '\\$&')
    .replace(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, '\\_')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
    .replace(/^(#{1,6}|[+-])(?=\s|$)|^(?=(?:=+|-+)$)/, '\\$&')
    .replace(/^(\d+)([.)])(?=\s|$)/, '$1\\$2');
}

/**
 * Markdown written by a model or a tool, made harmless: headings, lists, tables and emphasis stay; HTML becomes
 * text, images and links show their address instead of loading or hiding it, code fences become text (an open one
 * would swallow what follows), headings move below those of the report.
 */
export function sanitiseMarkdown(text: string, headingShift: number): string {
  const neutral = plainText(text)
    .replace(/<(?=[A-Za-z/!?])/g, '&lt;')
    .replace(/!\[/g, '!\\[')
    .replace(/\](?=[([:])/g, ']\\')
    .replace(/`{3,}|~{3,}/g, (run) => run.replace(/./g, '\\$&'));
  return neutral
    .split('\n')
    .map((line) => shiftHeading(line.trimEnd(), headingShift))
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

function shiftHeading(line: string, shift: number): string {
  const heading = /^( {0,3})(#{1,6})(?=\s|$)/.exec(line);
  if (heading !== null) {
    const level = Math.min(6, (heading[2] ?? '').length + shift);
    return '#'.repeat(level) + line.slice(heading[0].length);
  }
  // A line of `=` or dashes below text would make a heading of it.
  if (/^ {0,3}-{3,}$/.test(line)) {
    return '* * *';
  }
  return /^ {0,3}(=+|-{1,2})$/.test(line) ? `\\${line.trimStart()}` : line;
}

/** A code block whose fence is longer than any run of backticks inside. */
export function codeBlock(text: string, language: string): string {
  let longest = 0;
  for (const run of text.matchAll(/`+/g)) {
    longest = Math.max(longest, run[0].length);
  }
  const fence = '`'.repeat(Math.max(3, longest + 1));
  return `${fence}${language}\n${plainText(text)}\n${fence}`;
}
