import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ActionTable } from '../../activities/actions/types';
import { Values } from '../../activities/runner/values';
import type { Json, JsonObject } from '../../core/base/json';
import { LOCAL_USER_ID } from '../../core/base/run-status';
import { blobsOf } from '../../core/engine/values';
import type { RunRow } from '../../infra/db/stores/run-types';
import { openBlobs } from '../../infra/blob/open-blobs';
import { startInProcess, type InProcess } from '../support/in-process';
import { historyOf } from './scale-fixture';

const STEPS = 10;
const actions: ActionTable = { echo: (call) => Promise.resolve({ output: { ...call.inputs } }) };

let stack: InProcess;
beforeAll(async () => {
  stack = await startInProcess({ actions });
});
afterAll(() => stack?.close());

/** About so many bytes in a list that no step changes. */
const documentOf = (bytes: number, id = 1): JsonObject => ({
  id,
  records: Array.from({ length: Math.ceil(bytes / 120) }, (_each, no) => ({
    no,
    text: `${id} ${no}`.padEnd(100, '.'),
  })),
});

const after = (document: JsonObject, step: number): JsonObject =>
  Object.assign(
    { ...document },
    ...Array.from({ length: step }, (_each, at) => ({ [`f${at + 1}`]: at + 1 })),
  ) as JsonObject;

const HEAD = 'inputs: [{name: document, type: object, required: true}]';
const step = (name: string, data: string, field: string, value: number): string =>
  `  - {name: ${name}, step_type: tool, action: transform_data, on_error: stop, inputs: {data: ${data}}, operations: [{type: compute, as: ${field}, expression: "${value}"}]}`;
const through = Array.from({ length: STEPS }, (_each, at) =>
  step(`s${at + 1}`, at === 0 ? '["{document}"]' : `"{s${at}.data}"`, `f${at + 1}`, at + 1),
).join('\n');

const save = (id: string): Promise<string> => stack.save(`id: ${id}\nname: ${id}\n${HEAD}\nsteps:\n${through}`);

/** Stored results of these steps, read where they lie. */
async function kept(row: RunRow, name: string, count: number): Promise<Json[]> {
  const values = new Values(openBlobs(stack.config, stack.database), LOCAL_USER_ID);
  const outputs: Json[] = [];
  for (let no = 1; no <= count; no++) outputs.push(await values.load(row.result?.[`${name}${no}`] ?? { value: null }));
  return outputs;
}

const blobsIn = (row: RunRow): Set<string> =>
  new Set(
    Object.values(row.result ?? {})
      .flatMap(({ handles = {} }) => Object.values(handles).flatMap(blobsOf))
      .map(({ sha256 }) => sha256),
  );

describe('outputs that hold the same document', () => {
  it('are stored with the end of the run: the document once, and each step shows its own', async () => {
    const document = documentOf(100_000);
    const row = await stack.done(await stack.start(await save('through'), { inputs: { document } }));
    expect([row.status, row.status_message]).toEqual(['complete', null]);
    const expected = Array.from({ length: STEPS }, (_each, at) => ({ data: [after(document, at + 1)] }));
    expect(await kept(row, 's', STEPS)).toMatchObject(expected);
    expect(blobsIn(row).size).toBe(1);
    expect((await historyOf(stack, row.id)).activities).toBe(0);
  });

  it('are stored before it where they are larger', async () => {
    const documents = [1, 2, 3].map((id) => documentOf(800_000, id));
    const steps = documents.flatMap((_document, at) => [
      step(`s${at + 1}`, `["{d${at + 1}}"]`, 'f1', 1),
      step(`t${at + 1}`, `"{s${at + 1}.data}"`, 'f2', 2),
    ]);
    const heads = documents.map((_document, at) => `{name: d${at + 1}, type: object, required: true}`).join(', ');
    const slug = await stack.save(`id: three\nname: Three\ninputs: [${heads}]\nsteps:\n${steps.join('\n')}`);
    const inputs = Object.fromEntries(documents.map((document, at) => [`d${at + 1}`, document]));
    const row = await stack.done(await stack.start(slug, { inputs }));
    expect([row.status, row.status_message]).toEqual(['complete', null]);
    const expected = documents.map((document) => ({ data: [after(document, 2)] }));
    expect(await kept(row, 't', documents.length)).toMatchObject(expected);
    expect(blobsIn(row).size).toBe(documents.length);
    expect((await historyOf(stack, row.id)).activities).toBe(1);
  });

  it('reach the run that called', async () => {
    await save('through-child');
    const document = documentOf(100_000);
    const caller = await stack.save(`
id: through-parent
name: Through parent
${HEAD}
steps:
  - {name: call, step_type: tool, action: run_playbook, playbook: through-child, inputs: {document: "{document}"}}
  - {name: one, step_type: tool, action: echo, inputs: {first: "{call.result.outputs.s1.data[0].f1}", last: "{call.result.outputs.s10.data[0].f10}", row: "{call.result.outputs.s3.data[0].records[7].no}"}}
`);
    const row = await stack.done(await stack.start(caller, { inputs: { document } }));
    expect([row.status, row.result?.['one']?.value]).toEqual(['complete', { first: 1, last: 10, row: 7 }]);
  });
});
