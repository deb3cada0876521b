import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { lineHunks, type DiffHunk } from '../../../src/playbooks/line-diff';

const lines = (...texts: string[]): string => texts.join('\n');
const shown = (hunks: DiffHunk[]): string[][] => hunks.map((hunk) => hunk.lines.map(({ op, text }) => op + text));

/** Carries the hunks out, and fails where the text is not what they say. */
function patched(from: string, hunks: DiffHunk[]): string {
  const source = from.split('\n');
  const result: string[] = [];
  let at = 0;
  for (const hunk of hunks) {
    result.push(...source.slice(at, hunk.from_start - 1));
    at = hunk.from_start - 1;
    expect(result.length + 1).toBe(hunk.to_start);
    expect(hunk.lines.filter(({ op }) => op !== '+')).toHaveLength(hunk.from_lines);
    expect(hunk.lines.filter(({ op }) => op !== '-')).toHaveLength(hunk.to_lines);
    for (const { op, text } of hunk.lines) {
      if (op !== '+') expect(source[at]).toBe(text);
      if (op !== '+') at += 1;
      if (op !== '-') result.push(text);
    }
  }
  return [...result, ...source.slice(at)].join('\n');
}

describe('lineHunks', () => {
  it('says nothing of equal texts', () => {
    expect(lineHunks('a\nb', 'a\nb')).toEqual([]);
    expect(lineHunks('', '')).toEqual([]);
  });

  it('shows three lines around a change', () => {
    const from = lines('1', '2', '3', '4', '5', '6', '7', '8', '9');
    const to = lines('1', '2', '3', '4', 'five', '6', '7', '8', '9');
    const [hunk] = lineHunks(from, to);
    expect(hunk).toMatchObject({ from_start: 2, from_lines: 7, to_start: 2, to_lines: 7 });
    expect(shown(lineHunks(from, to))).toEqual([[' 2', ' 3', ' 4', '-5', '+five', ' 6', ' 7', ' 8']]);
  });

  it('makes one hunk of changes that lie close, and two of those that do not', () => {
    const many = Array.from({ length: 40 }, (_, at) => `line ${at}`);
    const change = (...places: number[]): string =>
      many.map((text, at) => (places.includes(at) ? 'x' : text)).join('\n');
    expect(lineHunks(lines(...many), change(10, 16))).toHaveLength(1);
    expect(lineHunks(lines(...many), change(10, 30))).toHaveLength(2);
  });

  it('finds the shortest way', () => {
    expect(
      shown(lineHunks(lines('a', 'b', 'c', 'a', 'b', 'b', 'a'), lines('c', 'b', 'a', 'b', 'a', 'c')))[0],
    ).toHaveLength(9);
  });

  it('turns the one text into the other, whatever they are', () => {
    const text = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 40 }).map((list) => list.join('\n'));
    fc.assert(fc.property(text, text, (from, to) => patched(from, lineHunks(from, to)) === to));
  });

  it('gives up on the shortest way between texts that have nothing in common', () => {
    const text = (name: string): string => Array.from({ length: 3_000 }, (_, at) => `${name} ${at}`).join('\n');
    const [from, to] = [text('a'), text('b')];
    expect(patched(from, lineHunks(from, to))).toBe(to);
  });
});
