import { describe, expect, it } from '@jest/globals';
import { createHash } from 'node:crypto';
import type { LogEntry } from '../../../infra/db/stores/decisions.store';
import { brokenLogEntry } from '../../../infra/decisions/chain';

function chain(texts: readonly string[]): LogEntry[] {
  let previous = '0'.repeat(64);
  return texts.map((entry, index) => {
    const hash = createHash('sha256')
      .update(previous + entry)
      .digest('hex');
    const row = { no: index + 1, entry, prev_hash: previous, hash };
    previous = hash;
    return row;
  });
}

const log = chain(['one', 'two', 'three', 'four', 'five']);
const [one, two, three, four, five] = log as [LogEntry, LogEntry, LogEntry, LogEntry, LogEntry];
const renumbered = (entries: LogEntry[]): LogEntry[] => entries.map((entry, index) => ({ ...entry, no: index + 1 }));
const rehashed = (entry: LogEntry, text: string): LogEntry => ({
  ...entry,
  entry: text,
  hash: createHash('sha256')
    .update(entry.prev_hash + text)
    .digest('hex'),
});

describe('the check of a decision log', () => {
  it('passes a whole one, and an empty one', () => {
    expect(brokenLogEntry(log)).toBeNull();
    expect(brokenLogEntry([])).toBeNull();
    expect(brokenLogEntry(log, five)).toBeNull();
    expect(brokenLogEntry(log, two)).toBeNull();
  });

  it.each<[string, LogEntry[], number]>([
    ['a changed text', [one, { ...two, entry: 'Two' }, three], 2],
    ['a changed text with its own new hash', [one, rehashed(two, 'Two'), three], 3],
    ['a changed hash', [one, { ...two, hash: one.hash }, three], 2],
    ['a changed link', [one, { ...two, prev_hash: three.hash }, three], 2],
    ['a removed entry', [one, three, four], 3],
    ['a removed entry, the rest renumbered', renumbered([one, three, four]), 2],
    ['a removed first entry', [two, three], 2],
    ['a removed first entry, the rest renumbered', renumbered([two, three]), 1],
    ['two entries that changed places', [one, three, two, four], 3],
    ['two entries that changed places and numbers', renumbered([one, three, two, four]), 2],
    ['an inserted entry', renumbered([one, rehashed({ ...two }, 'new'), two, three]), 3],
    ['an entry that is there twice', [one, two, two, three], 2],
    ['a forged entry at the end', [one, two, { ...three, entry: 'four' }], 3],
  ])('finds %s', (_what, entries, no) => {
    expect(brokenLogEntry(entries)).toBe(no);
  });

  it('finds a cut end by an entry that was noted before; the chain alone cannot show it', () => {
    expect(brokenLogEntry([one, two])).toBeNull();
    expect(brokenLogEntry([one, two], five)).toBe(5);
    expect(brokenLogEntry([], one)).toBe(1);
    expect(brokenLogEntry(chain(['one', 'two', 'other', 'four', 'five']), three)).toBe(3);
  });
});
