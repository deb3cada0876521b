import { readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DATA_DIR, describeWithData } from '../../support/data';
import { dataBytes, dataFiles } from '../../support/data-readme';
import { Said } from './said';
import { KIND_NAMES, TABLE } from './table';
import { World } from './world';

interface Line {
  path: string;
  readBy: string;
  compared: number;
  outcome: string;
}

/** The first kind stands for all of them. */
describeWithData(KIND_NAMES[0] ?? '', 'every file of the sample data, read by the product', () => {
  const lines: Line[] = [];
  let world: World;
  beforeAll(async () => {
    world = await World.open();
  });
  afterAll(async () => {
    await world.close();
    process.stdout.write(`\n${printed(lines)}\n`);
  });

  it('is in the table, and every line of the table is a file', () => {
    const files = KIND_NAMES.flatMap((kind) => readdirSync(resolve(DATA_DIR, kind)).map((name) => `${kind}/${name}`));
    const table = TABLE.map(({ path }) => path);
    expect({
      nobodyReads: files.filter((file) => !table.includes(file)),
      gone: table.filter((file) => !files.includes(file)),
    }).toEqual({ nobodyReads: [], gone: [] });
    expect(new Set(table).size).toBe(table.length);
  });

  const described = new Map(KIND_NAMES.flatMap(dataFiles).map(({ path, finds }) => [path, finds]));

  it.each(TABLE)('$path', async ({ path, check }) => {
    const said = new Said(described.get(path) ?? '');
    const line: Line = { path, readBy: '', compared: 0, outcome: 'FAILED' };
    lines.push(line);
    try {
      await check({ path, said, world });
      // Check that all known facts of the file were compared, and the product has read it.
      expect(said.left()).toBe('');
      expect(said.compared).toBeGreaterThan(0);
      expect(world.readers.get(path)?.size ?? 0).toBeGreaterThan(0);
      line.outcome = 'as described';
    } finally {
      line.readBy = [...(world.readers.get(path) ?? [])].join(', ');
      line.compared = said.compared;
    }
  });
});

function printed(lines: readonly Line[]): string {
  const head = ['file', 'bytes', 'read by', 'compared', 'outcome'];
  const cells = lines.map(({ path, readBy, compared, outcome }) => [
    path,
    String(dataBytes(path).length),
    readBy,
    String(compared),
    outcome,
  ]);
  const all = [head, ...cells];
  const widths = head.map((_name, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  return all
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

describe('what a description says', () => {
  it('is compared part by part; what nobody compared is left', () => {
    const said = new Said('EIN 12; 3 people, sum 4.0; never looked at');
    said.same(/EIN (\d+)/, 12);
    said.same(/(\d+) people, sum ([\d.]+)/, 3, 4);
    expect([said.compared, said.left()]).toEqual([2, 'never looked at']);
    expect(() => said.same(/EIN (\d+)/, 12)).toThrow('does not say');
    expect(() => new Said('EIN 12').same(/EIN (\d+)/, 13)).toThrow();
  });
});
