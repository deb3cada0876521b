import { describe, expect, it } from '@jest/globals';
import type { Json, JsonObject } from '../../../core/base/json';
import type { RuleChange } from '../../../core/engine/machine';
import { ITEM_VALUE_LIMIT } from '../../../core/engine/units';
import { Simulator } from './simulator';

const READ = '  - {name: read, step_type: tool, action: call_connector, connector: irs, endpoint: parse';
const TRAITS = {
  call_connector: { short: false, pure: false, available: true, model: false },
  transform_data: { short: true, pure: true, available: true, model: false },
  gone: { short: false, pure: false, available: false, model: false },
  slow: { short: false, pure: false, available: true, model: false },
};

function sim(steps: string[], more = '', inputs: JsonObject = {}): Simulator {
  return new Simulator(`id: g\nname: G\nsteps:\n${steps.join('\n')}\n${more}`, { traits: TRAITS, inputs });
}

const files = (errors: number): JsonObject => ({
  results: [],
  count: 0,
  grants: [{ n: 1 }],
  files: [{ file: 'a.xml' }, { file: 'b.xml' }],
  errors: Array.from({ length: errors }, (_, at) => ({ file: `x${at}.xml`, code: 'invalid_xml' })),
  error_count: errors,
  warnings: [],
});

describe('a result that does not hold everything', () => {
  const end = (output: Json, reads = '', more = ''): Simulator => {
    const run = sim([
      `${READ}${more}}`,
      `  - {name: end, step_type: tool, action: slow, inputs: {n: "{read.count}"${reads}}}`,
    ]);
    run.ok('read', { read: output });
    run.ok('end');
    return run;
  };

  it.each<[string, Json, string, string]>([
    ['files', files(2), 'partial', '2 of 4 files not read'],
    ['feeds', { results: [], feeds: [{}], errors: [{}] }, 'partial', '1 of 2 feeds not read'],
    ['errors beside data', { results: [], errors: [{}, {}] }, 'partial', '2 errors came beside the data'],
    [
      'pages',
      { results: [], truncated: true, stopped_by: 'max_pages' },
      'partial',
      'there is more than was read (stopped by max_pages)',
    ],
    [
      'what nobody knows',
      { results: [], truncated: 'unknown', stopped_by: 'short_page' },
      'complete',
      'there may be more than was read (stopped by short_page)',
    ],
    [
      'a cap, behind which nobody knows',
      { results: [], truncated: 'unknown', stopped_by: 'max_pages' },
      'partial',
      'there may be more (stopped by max_pages)',
    ],
    [
      'pages that repeat themselves',
      { results: [], truncated: 'unknown', stopped_by: 'repeated_page' },
      'partial',
      'there may be more (stopped by repeated_page)',
    ],
    [
      'values',
      { results: [], warnings: [{ message: '`n` is no number.' }] },
      'partial',
      '1 value could not be read: `n` is no number.',
    ],
    [
      'headers, which are no data',
      { results: [], warnings: [{ code: 'unreadable_header', message: 'The header `age: old` cannot be read.' }] },
      'complete',
      '1 header could not be read: The header `age: old` cannot be read.',
    ],
    [
      'what an answer says of its pages',
      { results: [], warnings: [{ code: 'unreadable_paging', message: '`total` cannot be read: "9 or so".' }] },
      'complete',
      '1 note about pages could not be read: `total` cannot be read: "9 or so".',
    ],
    [
      'values beside headers',
      {
        results: [],
        warnings: [
          { code: 'unreadable_header', message: 'h' },
          { field: 'n', message: '`n` is no number.' },
          { code: 'unreadable_header', message: 'i' },
        ],
      },
      'partial',
      '1 value could not be read: `n` is no number.,2 headers could not be read: h',
    ],
    [
      'a code that a source wrote into a field of its own',
      { results: [], warnings: [{ field: 'code', code: 'toString', message: 'm' }] },
      'partial',
      '1 value could not be read: m',
    ],
    [
      'a column that the file does not have',
      { results: [], warnings: [{ code: 'column_not_found', field: 'n', message: 'No record has `N`.' }] },
      'partial',
      '1 column is not in the file: No record has `N`.',
    ],
    [
      'a field that no record has, which may be as it should',
      { results: [], warnings: [{ code: 'unknown_field', field: 'n', message: 'm' }] },
      'complete',
      '1 field is in no record: m',
    ],
    [
      'rows that end early',
      { results: [], warnings: [{ code: 'short_rows', field: '', message: '3 rows' }] },
      'complete',
      '1 file has short rows: 3 rows',
    ],
    [
      'age',
      { results: [], cache: 'stale', age_seconds: 90 },
      'partial',
      'from the cache, 90 s old: the source did not answer',
    ],
    ['nothing', files(0), 'complete', ''],
  ])('of %s', (_what, output, status, message) => {
    const run = end(output);
    expect(run.finish?.status).toBe(status);
    expect(run.state.shortfalls?.map((each) => each.message).join() ?? '').toBe(message);
  });

  it('is no surprise to a playbook that asks for it, nor to a call that sets the cap', () => {
    expect(end(files(2), ', bad: "{read.errors}"').finish?.status).toBe('complete');
    expect(end(files(2), ', bad: "{read.result.error_count}"').finish?.status).toBe('complete');
    expect(end(files(2), ', bad: "{read.grants}"').finish?.status).toBe('partial');
    const capped = { results: [], truncated: true, stopped_by: 'max_items' };
    expect(end(capped, '', ', inputs: {max_items: 5}').finish?.status).toBe('complete');
    expect(end(capped, '', ', inputs: {max_pages: 5}').finish?.status).toBe('partial');
    const guessed = { ...capped, truncated: 'unknown' };
    expect(end(guessed, '', ', inputs: {max_items: 5}').finish?.status).toBe('complete');
    expect(end(guessed, '', ', inputs: {max_pages: 5}').finish?.status).toBe('partial');
  });

  it.each<[RuleChange, Json]>([
    ['incomplete-results', files(2)],
    ['stopped-early', { results: [], truncated: 'unknown', stopped_by: 'repeated_page' }],
  ])('leaves a run that knows the older rule as it was (%s)', (rule, output) => {
    const run = sim([`${READ}}`]);
    run.newer = (change) => change !== rule;
    run.ok('read', { read: output });
    expect(run.finish?.status).toBe('complete');
  });

  it('is told in the same way wherever the result lies', () => {
    const run = sim([`${READ}}`]);
    const command = run.run('read');
    const handle = (count: number) => ({ parts: [], size: 100_000, count });
    run.send({
      type: 'outcomes',
      id: command.id,
      outcomes: [
        {
          path: 'read',
          status: 'ok',
          output: {
            value: { results: [], files: null, errors: null },
            handles: { files: handle(7000), errors: handle(3000) },
          },
        },
      ],
    });
    expect(run.state.shortfalls?.[0]?.message).toBe('3000 of 10000 files not read');
  });

  it('is told where several fields together are too large for an item of a list', async () => {
    const run = sim([`${READ}}`]);
    const text = 'x'.repeat(9_000);
    const output = await run.values.offload({ ...files(2), results: [text], grants: [text] }, ITEM_VALUE_LIMIT);
    run.send({ type: 'outcomes', id: run.run('read').id, outcomes: [{ path: 'read', status: 'ok', output }] });
    expect(run.state.shortfalls?.[0]?.message).toBe('2 of 4 files not read');
    expect(run.finish?.status).toBe('partial');
  });
});
