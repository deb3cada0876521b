import { describe, expect, it } from '@jest/globals';
import type { Json, JsonObject } from '../../../../core/base/json';
import { markReplaced } from '../../../../connectors/kinds/files/replaced';

const SAME = ['id'];

function record(file: string, id: Json, no: Json): JsonObject {
  return { file, file_id: file, id, no };
}

/** Replacement of each record, in their order. */
function replacements(records: JsonObject[], groups: JsonObject[] = []): Json[] {
  markReplaced({ same: SAME, latest: ['no'] }, records, [groups]);
  for (const row of [...records, ...groups]) expect(row['is_current']).toBe(row['replaced_by'] === null);
  return [...records, ...groups].map((row) => row['replaced_by'] ?? null);
}

describe('the edition that counts', () => {
  it.each<[string, Json, Json]>([
    ['numbers', 10, 9],
    ['a fraction is below the next whole number', 10, 1.5],
    ['numbers below zero', -5, -40],
    ['numbers as texts of a file', '10', '9'],
    ['numbers that no double holds', '12345678901234567891', '12345678901234567890'],
    ['dates', '2024-01-01', '2023-12-31'],
    ['true after false', true, false],
    ['anything after nothing', '2001', null],
  ])('is the largest: %s', (_what, large, small) => {
    expect(replacements([record('a', 1, large), record('b', 1, small)])).toEqual([null, 'a']);
    expect(replacements([record('b', 1, small), record('a', 1, large)])).toEqual(['a', null]);
  });

  it('is told of each record of a file, and of a group where no record of its file counts', () => {
    const records = [record('old', 1, 1), record('old', 2, 1), record('new', 1, 2), record('older', 1, 0)];
    const groups = [{ file_id: 'old' }, { file_id: 'new' }, { file_id: 'older' }];
    expect(replacements(records, groups)).toEqual(['new', null, null, 'new', null, null, 'new']);
  });

  it('is each record that does not say what it is an edition of', () => {
    expect(replacements([record('a', null, 1), record('a', null, 2), record('b', null, 3)])).toEqual([
      null,
      null,
      null,
    ]);
  });
});
