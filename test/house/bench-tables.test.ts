import { describe, expect, it } from '@jest/globals';
import { dated, merged } from '../../bench/tables';

const OLD = dated(
  [
    '| comparison | ratio | |',
    '| --- | --- | --- |',
    '| A / bare | **0.50** | ok |',
    '| B / bare | **0.60** | ok |',
    '',
    '| cell | rate | api |',
    '| --- | --- | --- |',
    '| A | 1.0 | 2.0 |',
    '| B | 3.0 | 4.0 |',
  ].join('\n'),
  '2026-01-01 08:00',
);

describe('tables of the benchmark', () => {
  it('say of each row when it was measured', () => {
    expect(OLD.split('\n').slice(0, 3)).toEqual([
      '| comparison | ratio |  | measured |',
      '| --- | --- | --- | --- |',
      '| A / bare | **0.50** | ok | 2026-01-01 08:00 |',
    ]);
  });

  it('keep rows and tables that were not measured again, with their time', () => {
    const news = dated(
      '| comparison | ratio | |\n| --- | --- | --- |\n| B / bare | **0.70** | ok |\n| C / bare | **0.80** | |',
      'now',
    );
    const [comparisons, cells] = merged(`Measured some day.\n\n${OLD}\n`, news).split('\n\n');
    expect(comparisons?.split('\n').slice(2)).toEqual([
      '| A / bare | **0.50** | ok | 2026-01-01 08:00 |',
      '| B / bare | **0.70** | ok | now |',
      '| C / bare | **0.80** |  | now |',
    ]);
    expect(cells).toBe(OLD.split('\n\n')[1]);
  });

  it('take columns that are new, in the order of what was measured now, and leave them empty where nothing was measured', () => {
    const news = dated(
      '| cell | step | rate | load |\n| --- | --- | --- | --- |\n| B | 0.5 | 5.0 | 7.0 |\n\n| request | p50 |\n| --- | --- |\n| live | 1.0 |',
      'now',
    );
    const [, cells, requests] = merged(OLD, news).split('\n\n');
    expect(cells?.split('\n')).toEqual([
      '| cell | step | rate | load | api | measured |',
      '| --- | --- | --- | --- | --- | --- |',
      '| A |  | 1.0 |  | 2.0 | 2026-01-01 08:00 |',
      '| B | 0.5 | 5.0 | 7.0 |  | now |',
    ]);
    expect(requests).toContain('| live | 1.0 | now |');
  });
});
