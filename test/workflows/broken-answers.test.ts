import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startHttpSource, type HttpSource } from '../support/http-source';
import { callStep, connectorOf, noteStep, startSourceRuns, type SourceRuns } from './source-runs';

const SECRET = 'canary-of-the-broken-answers';
const LONG = '<p>no data</p>'.repeat(500);
const DEPTH = 100_000;

/** Answers of the source, by the name of its connector. */
const BODIES: Record<string, [name: string, body: string]> = {
  cut: ['F18a JSON that stops before its end', `{"who": "${SECRET}", "items": [{"id": 1}, {"id"`],
  comma: ['F18a a stray comma', `{"who": "${SECRET}", "items": [1,]}`],
  page: ['F18c a web page under a JSON type', `<!doctype html><title>Hello ${SECRET}</title>${LONG}`],
  huge: ['F18d a number beyond a double', `{"items": [1e400]}`],
  nan: ['F18d NaN', `{"who": "${SECRET}", "items": [NaN]}`],
  deep: ['F18d 100,000 levels', `{"who": "${SECRET}", "items": ${'['.repeat(DEPTH)}${']'.repeat(DEPTH)}}`],
  again: ['a stray comma, where the step asks for another try', `{"who": "${SECRET}", "items": [1,]}`],
  odd: ['headers that cannot be read', `{"items": [1]}`],
  values: ['a value that cannot be read', JSON.stringify([{ day: 'soon', text: LONG, more: LONG }])],
  twice: [
    'F18d a key that is there twice',
    `{"items": [{"id": 1, "id": 2}], "items": [{"id": 3}, {"id": 4, "id": 5}]}`,
  ],
};
const READABLE = ['huge', 'odd', 'twice', 'values'];
const BROKEN = Object.keys(BODIES).filter((id) => !['again', ...READABLE].includes(id));

let source: HttpSource;
let runs: SourceRuns;
beforeAll(async () => {
  source = await startHttpSource(({ url }, response) => {
    const [, body] = BODIES[url.slice(1)] ?? ['', 'no such source'];
    const odd = url === '/odd' ? { 'last-modified': 'yesterday', 'cache-control': 'max-age=soon' } : {};
    response.writeHead(200, { 'content-type': 'application/json', ...odd }).end(body);
  });
  runs = await startSourceRuns([source.port]);
});
afterAll(async () => {
  await runs?.close();
  await source?.close();
});

const asked = (id: string): number => source.seen.filter(({ url }) => url === `/${id}`).length;

async function call(id: string, more = '') {
  const secret = `key-${id}`;
  const connector = connectorOf(
    `{id: ${id}, type: rest_api, connection: {base_url: "${source.url}", auth: {type: bearer_token, secret: {secret: ${secret}}}}, endpoints: {list: {path: /${id}, response_mapping: {results_path: items}}}}`,
  );
  const runId = await runs.begin({
    connector,
    secrets: { [secret]: SECRET },
    steps: [
      callStep('call', { connector: id, endpoint: 'list' }, more),
      noteStep('{call.status} {call.error.code}: {call.error.message}'),
    ],
  });
  return { runId, run: await runs.done(runId) };
}

async function errorOf(runId: string): Promise<{ code: string; retryable: boolean; details: { excerpt: string } }[]> {
  const rows = await runs.stack.admin.query<{
    error: { code: string; retryable: boolean; details: { excerpt: string } };
  }>(`select error from step_results where run_id = $1 and status = 'failed' order by try_no`, [runId]);
  return rows.map(({ error }) => error);
}

describe('an answer that cannot be read, in a run', () => {
  it.each(BROKEN.map((id) => [BODIES[id]![0], id]))('%s', async (_name, id) => {
    const { runId, run } = await call(id, 'retry_count: 3');
    const failures = await errorOf(runId);
    expect(failures).toMatchObject([{ code: 'bad_response', retryable: false, details: { status: 200 } }]);
    const excerpt = failures[0]?.details.excerpt ?? '';
    expect(Buffer.byteLength(excerpt)).toBeLessThanOrEqual(2048);
    expect(excerpt).toContain('[masked]');
    // Request is not repeated, as its answer would be the same.
    expect(asked(id)).toBe(1);
    expect(run).toMatchObject({
      status: 'partial',
      connectors_called: [{ connector: id, endpoint: 'list', calls: 1, failed: 1, requests: 1 }],
    });
    const [note] = await runs.stack.admin.query<{ summary: string }>(
      `select summary from journal_entries where run_id = $1 and kind <> 'run'`,
      [runId],
    );
    expect(note?.summary).toContain(`failed bad_response: The answer of ${new URL(source.url).host}`);
    const everything = await runs.stack.admin.query(`select * from step_results where run_id = $1`, [runId]);
    const events = await runs.stack.events(runId);
    expect(JSON.stringify([everything, events, run])).not.toContain(SECRET);
  });

  it('is not asked for again, also where the step says `retry`: it would be the same', async () => {
    const { runId, run } = await call('again', 'on_error: retry');
    expect(await errorOf(runId)).toHaveLength(1);
    expect(asked('again')).toBe(1);
    expect(run).toMatchObject({ status: 'partial', connectors_called: [{ requests: 1 }] });
  });

  it(`${BODIES['huge']![0]} is the text that was written`, async () => {
    const { run } = await call('huge');
    expect(run).toMatchObject({ status: 'complete', connectors_called: [{ calls: 1, failed: 0, requests: 1 }] });
    expect(run.result?.['call']?.value).toMatchObject({ results: ['1e400'] });
  });

  it('headers that nobody can read are named with their text', async () => {
    const { runId, run } = await call('odd');
    const finished = (await runs.stack.events(runId)).find(({ type }) => type === 'step.finished');
    expect(finished?.payload['incomplete']).toEqual([
      { code: 'unreadable_header', message: expect.stringMatching(/^2 headers could not be read: The header/) },
    ]);
    expect(run.result?.['call']?.value).toMatchObject({
      results: [1],
      warnings: [
        { message: expect.stringContaining('`cache-control: max-age=soon` cannot be read') },
        { message: expect.stringContaining('`last-modified: yesterday` cannot be read') },
      ],
    });
    expect(run.status).toBe('complete');
  });

  it(`${BODIES['values']![0]} makes the run partial, also where the results of an item lie outside`, async () => {
    const fields = '{day: {path: day, transforms: {op: date, format: YYYY-MM-DD}}, text: text, more: more}';
    const connector = connectorOf(
      `{id: values, type: rest_api, connection: {base_url: "${source.url}"}, endpoints: {list: {path: /values, response_mapping: {fields: ${fields}}}}}`,
    );
    const read = callStep('read', { connector: 'values', endpoint: 'list' });
    const steps = [`{name: each, for_each: {items: [1, 2], as: n, steps: [${read}]}}`];
    const run = await runs.done(await runs.begin({ connector, steps }));
    expect(run.status).toBe('partial');
    const told = (await runs.stack.events(run.id)).filter(({ step_path: path }) => path?.endsWith('/read'));
    const missing = [{ code: 'unreadable_values', message: expect.stringContaining('`soon`') }];
    expect(told.filter(({ type }) => type === 'step.finished').map(({ payload }) => payload['incomplete'])).toEqual([
      missing,
      missing,
    ]);
  });

  it(`${BODIES['twice']![0]}: the last one counts`, async () => {
    const { run } = await call('twice');
    expect(run).toMatchObject({ status: 'complete', connectors_called: [{ calls: 1, failed: 0, requests: 1 }] });
    expect(run.result?.['call']?.value).toMatchObject({ results: [{ id: 3 }, { id: 5 }] });
  });
});
