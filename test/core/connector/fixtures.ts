import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const FOLDER = join(__dirname, '../../fixtures/connectors');

/** Definitions that use every field of the language between them: file name → text. */
export const FIXTURES: Record<string, string> = Object.fromEntries(
  readdirSync(FOLDER)
    .sort()
    .map((name) => [name.replace('.yaml', ''), readFileSync(join(FOLDER, name), 'utf8')]),
);

/** A fixture with one text put in the place of another. */
export function changed(fixture: string, from: string, to: string): string {
  const text = FIXTURES[fixture] ?? '';
  if (!text.includes(from)) throw new Error(`${fixture} does not contain ${from}`);
  return text.replace(from, () => to);
}

/** Line and column of the first place of a text that holds `marker`. */
export function placeOf(text: string, marker: string): { line: number; column: number } {
  const before = text.slice(0, text.indexOf(marker));
  return { line: before.split('\n').length, column: before.length - before.lastIndexOf('\n') };
}
