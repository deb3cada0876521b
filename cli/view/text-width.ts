import { visibleText } from '../../core/report/visible-text';

const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u;
const NONE = /[\p{M}\u200b-\u200d]/u;
const SEGMENTS = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Columns that a text takes on a terminal. */
export function textWidth(text: string): number {
  let width = 0;
  for (const { segment } of SEGMENTS.segment(text)) width += segmentWidth(segment);
  return width;
}

/** The beginning that fits, ended by … where something is missing. */
export function cutTo(text: string, width: number): string {
  if (textWidth(text) <= width) return text;
  let kept = '';
  let taken = 1;
  for (const { segment } of SEGMENTS.segment(text)) {
    taken += segmentWidth(segment);
    if (taken > width) break;
    kept += segment;
  }
  return `${kept}…`;
}

/** Text of others on one line, without unseen characters and without control over the terminal. */
export function plainText(text: string): string {
  return visibleText(text.replace(/\r?\n|\t/g, ' '));
}

function segmentWidth(segment: string): number {
  if (WIDE.test(segment)) return 2;
  return NONE.test(segment[0] ?? '') ? 0 : 1;
}

/** Columns of the terminal, or COLUMNS; 80 for a pipe. */
export function outputWidth(stream: Pick<NodeJS.WriteStream, 'columns' | 'isTTY'> = process.stdout): number {
  const named = Number(process.env['COLUMNS']);
  if (Number.isInteger(named) && named >= 20) return named;
  return stream.isTTY && stream.columns > 0 ? Math.max(20, stream.columns) : 80;
}
