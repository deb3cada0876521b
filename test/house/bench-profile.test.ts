import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { summarize } from '../../bench/profile/by-group';
import type { CallFrame } from '../../bench/profile/cpu-profile';

const ROOT = path.resolve(__dirname, '../..');
const frame = (functionName: string, file?: string): CallFrame => ({
  functionName,
  url: file === undefined ? '' : file.startsWith('node:') ? file : pathToFileURL(path.join(ROOT, file)).href,
  lineNumber: file === undefined ? -1 : 6,
  columnNumber: file === undefined ? -1 : 0,
});

/** root: advance calls jsonSize, which calls a native stringify; query calls a package, which writes; then idle and a collection. */
const PROFILE = {
  nodes: [
    { id: 1, callFrame: frame('(root)'), children: [2, 5, 8, 9] },
    { id: 2, callFrame: frame('advance', 'core/engine/none.ts'), children: [3] },
    { id: 3, callFrame: frame('jsonSize', 'core/base/none.ts'), children: [4] },
    { id: 4, callFrame: frame('stringify') },
    { id: 5, callFrame: frame('query', 'infra/db/none.ts'), children: [6] },
    { id: 6, callFrame: frame('send', 'node_modules/pg-protocol/none.js'), children: [7] },
    { id: 7, callFrame: frame('write', 'node:net') },
    { id: 8, callFrame: frame('(idle)') },
    { id: 9, callFrame: frame('(garbage collector)') },
  ],
  // A sample lasts until the next one; the last has no end.
  samples: [2, 3, 4, 5, 6, 7, 8, 9, 8],
  timeDeltas: [0, 100, 200, 400, 10, 20, 30, 5_000, 40],
};

describe('a CPU profile by groups', () => {
  const { groups, functions, us } = summarize(PROFILE);

  it('leaves idling out', () => {
    expect(us).toBe(800);
  });

  it('tells the own time of a group, and its time with all that it called', () => {
    expect(groups).toEqual([
      { name: 'core/base', us: 600, withCallees: 600 },
      { name: 'core/engine', us: 100, withCallees: 700 },
      { name: 'garbage collection', us: 40, withCallees: 40 },
      { name: 'node internals', us: 30, withCallees: 30 },
      { name: 'pg', us: 20, withCallees: 50 },
      { name: 'infra/db', us: 10, withCallees: 60 },
    ]);
  });

  it('counts what is native for its caller, and says where each function begins', () => {
    expect(functions.slice(0, 2)).toEqual([
      { name: 'jsonSize (stringify)', at: 'core/base/none.ts:7', us: 400 },
      { name: 'jsonSize', at: 'core/base/none.ts:7', us: 200 },
    ]);
  });
});
