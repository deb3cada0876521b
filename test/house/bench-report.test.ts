import { describe, expect, it } from '@jest/globals';
import type { Sample } from '../../bench/measure/callers';
import { AFTER_MANY, AFTER_SOME, collected, IDLE, WAITING_PRODUCT } from '../../bench/memory';
import { chosenOf, isWanted, parseOptions } from '../../bench/options';
import { report } from '../../bench/report';
import type { Scenario } from '../../bench/scenario';

const sample = (rate: number, cpu: number): Sample => ({
  rate,
  p50: 10,
  p95: 20,
  p99: 30,
  cpu: { worker: cpu - 1, load: 1 },
  steps: 10,
});
const rounds = (pure: [number, number], inline: [number, number]): Map<string, Sample[]> =>
  new Map([
    ['W1 c20/pure', [sample(...pure)]],
    ['W1 c20/bare inline', [sample(...inline)]],
  ]);
const rowOf = (text: string, name: string): string | undefined =>
  text.split('\n').find((line) => line.startsWith(`| ${name} |`));

describe('the report of the benchmark', () => {
  it('judges throughput and CPU, each by its own floor', () => {
    const { text, failed } = report({ samples: rounds([7, 30], [10, 20]), memory: new Map() });
    expect(failed).toEqual([
      'W1, pure, 20 callers / bare inline: 0.70, floor 0.8',
      'W1, pure, 20 callers, CPU / bare inline: 1.50, floor 1.4',
    ]);
    expect(rowOf(text, 'W1, pure, 20 callers, CPU / bare inline')).toBe(
      '| W1, pure, 20 callers, CPU / bare inline | 30.0 ms | 20.0 ms | **1.50** (1.50) | 1.4 | 1.15 | below the floor |',
    );
  });

  it('says where an aim is reached and where only the floor is held', () => {
    const { text, failed } = report({ samples: rounds([9, 22], [10, 20]), memory: new Map() });
    expect(failed).toEqual([]);
    expect(rowOf(text, 'W1, pure, 20 callers / bare inline')).toMatch(/\| ok \|$/);
    expect(rowOf(text, 'W1, pure, 20 callers, CPU / bare inline')).toMatch(/\| aim reached \|$/);
  });

  it('begins the row of a measurement with the CPU of a step', () => {
    const { text } = report({ samples: rounds([7, 30], [10, 20]), memory: new Map() });
    expect(rowOf(text, 'W1 c20/pure')).toBe('| W1 c20/pure | 3.00 | 7.0 | 10.0 | 30.0 | 30.0 | 29.0 | 1.0 |');
  });

  it('judges the memory of API and worker: idle by MB, after many runs by what some runs left once garbage is collected', () => {
    const memory = new Map([
      [IDLE, { api: 100, worker: 250, database: 900 }],
      [AFTER_SOME, { api: 200, worker: 300, database: 900 }],
      [collected(AFTER_SOME), { api: 100, worker: 150, database: 900 }],
      [AFTER_MANY, { api: 350, worker: 310, database: 900 }],
      [collected(AFTER_MANY), { api: 126, worker: 150, database: 900 }],
      [WAITING_PRODUCT, { api: -50, worker: 60, database: 10 }],
    ]);
    const { text, failed } = report({ samples: new Map(), memory });
    expect(failed).toEqual([`memory ${collected(AFTER_MANY)}: 276 MB, at most 275`]);
    expect(rowOf(text, AFTER_MANY)).toBe(`| ${AFTER_MANY} | 660 |  |  |  | 350 | 310 | 900 |`);
    expect(rowOf(text, WAITING_PRODUCT)).toBe(`| ${WAITING_PRODUCT} | 60 | 80 | 40 | ok | -50 | 60 | 10 |`);
    expect(rowOf(text, IDLE)).toBe(`| ${IDLE} | 350 | 400 | 300 | ok | 100 | 250 | 900 |`);
  });
});

describe('what the benchmark is asked for', () => {
  const scenario = (name: string, ...implementations: string[]): Scenario => ({
    name,
    implementations: implementations.map((each) => ({ name: each, callers: 1, count: 1, run: async () => undefined })),
  });
  const ALL = [
    scenario('W1 c1', 'pure', 'bare inline'),
    scenario('W1 c20', 'pure', 'bare inline'),
    scenario('W1x40 c20', 'pure'),
  ];
  const chosen = (only: string): string[] =>
    chosenOf(parseOptions(['--only', only]), ALL).flatMap(({ name, implementations }) =>
      implementations.map((each) => `${name}/${each.name}`),
    );

  it('are scenarios, all of a kind, or single implementations', () => {
    expect(chosen('W1')).toEqual(['W1 c1/pure', 'W1 c1/bare inline', 'W1 c20/pure', 'W1 c20/bare inline']);
    expect(chosen('W1 c20/bare inline,W1x40 c20')).toEqual(['W1 c20/bare inline', 'W1x40 c20/pure']);
    expect(isWanted(parseOptions(['--only', 'start-run']), 'start')).toBe(false);
  });

  it('may name further processes, and says how when it cannot be read', () => {
    expect(parseOptions(['--processes', 'temporal=12,its-database=34']).processes).toEqual({
      temporal: 12,
      'its-database': 34,
    });
    expect(() => parseOptions(['--processes', 'temporal'])).toThrow('--processes takes name=pid');
  });
});
