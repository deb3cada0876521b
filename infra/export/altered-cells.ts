import { isJsonObject, type JsonObject } from '../../core/base/json';
import { jsonText } from '../../core/base/json-text';
import { shorten } from '../../core/base/shorten';

/** A text that its cell does not hold as it is. */
export interface AlteredCell {
  sheet: string;
  /** Row as the spreadsheet counts: the names of the columns are row 1. */
  row: number;
  /** Name of the column. */
  column: string;
  /** `cut`: longer than a cell holds; `replaced`: with characters that no workbook holds. */
  what: 'cut' | 'replaced';
  /** Length of the whole text, or number of replaced characters. */
  characters: number;
}

const MOST_LINES = 100;
const TEXTS_IN_MESSAGE = 3;
const LONGEST_NAME = 60;
/** Limits of an XLSX cell (Excel specifications and limits). */
export const MOST_CHARACTERS = 32_767;

/** A line for each, the first hundred; the others are counted. */
export function alteredLines(cells: readonly AlteredCell[]): string[] {
  return withRest(cells.slice(0, MOST_LINES).map(line), cells.length);
}

/** Details of a destination about its altered cells. */
export function alteredDetails(cells: readonly AlteredCell[] = []): JsonObject {
  return cells.length === 0 ? {} : { altered: { count: cells.length, texts: cells.slice(0, MOST_LINES).map(line) } };
}

/** Remark of a destination beside its success, from its details. */
export function alteredRemark(details: JsonObject): { code?: string; message?: string } {
  const altered = details['altered'] ?? null;
  if (!isJsonObject(altered) || !Array.isArray(altered['texts'])) return {};
  const texts = withRest(altered['texts'].slice(0, TEXTS_IN_MESSAGE).map(jsonText), Number(altered['count']));
  const message = `Texts stand in the workbook otherwise than in the data: ${texts.join('; ')}. CSV and JSON hold them whole.`;
  return { code: 'cells_altered', message };
}

function withRest(lines: string[], all: number): string[] {
  return lines.length === all ? lines : [...lines, `and ${all - lines.length} more`];
}

function line({ sheet, row, column, what, characters }: AlteredCell): string {
  const place = `sheet ${sheet}, row ${row}, column ${shorten(column, LONGEST_NAME)}`;
  return what === 'cut'
    ? `${place}: cut, ${groupDigits(characters)} characters are more than the ${groupDigits(MOST_CHARACTERS)} of a cell`
    : `${place}: ${groupDigits(characters)} characters that no workbook holds are shown as \ufffd`;
}

function groupDigits(count: number): string {
  return count.toLocaleString('en-US');
}
