import { expect, it } from '@jest/globals';
import { Simulator } from './simulator';

const sim = (steps: string[]): Simulator => new Simulator(`id: g\nname: G\nsteps:\n${steps.join('\n')}\n`);

it('a request says that its preview is not there, wherever the result lies, and not where it is null or a failure says so', async () => {
  const slow = '  - {name: get, step_type: tool, action: slow, on_error: skip}';
  const ask = '  - {name: ask, step_type: approval, preview_from: get.rowz, prompt: "Go?"}';
  const missing = {
    step: 'ask',
    kind: 'incomplete',
    code: 'no_preview',
    message: 'its preview is not there: nothing is at {get.rowz}',
  };
  const inline = sim([slow, ask]);
  inline.ok('get', { get: { rows: [1] } });
  expect(inline.approvals[0]).toMatchObject({ preview: null, preview_total: null, failures: [missing] });

  const nothing = sim([slow, ask]);
  nothing.ok('get', { get: { rowz: null } });
  expect(nothing.approvals[0]).toEqual(expect.not.objectContaining({ failures: expect.anything() as unknown }));

  const failed = sim([slow, ask]);
  failed.fail('get');
  expect(failed.approvals[0]?.failures?.map(({ step, kind }) => [step, kind])).toEqual([['get', 'failed']]);

  const outside = sim([slow, ask.replace('get.rowz', '"get.rows[7].rowz"')]);
  const output = await outside.values.offload({ rows: [{ n: 'x'.repeat(1_200_000) }] }, 1_048_576);
  outside.send({ type: 'outcomes', id: outside.run('get').id, outcomes: [{ path: 'get', status: 'ok', output }] });
  for (const load of outside.of('load')) await outside.answer(load);
  expect(outside.approvals[0]?.failures).toMatchObject([
    { code: 'no_preview', message: 'its preview is not there: nothing is at {get.rows[7].rowz}' },
  ]);
});
