import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { openKeys } from '../../infra/secrets/open-vault';
import { Redactor } from '../../infra/secrets/redactor';
import { sendJson, startHttpSource, type HttpSource } from '../support/http-source';
import { startInProcess, type InProcess } from '../support/in-process';
import { canaryInTables } from '../support/ledger';
import { ModelServer, type Reply, type SeenRequest } from '../support/model-server';
import { startApiOf, type TestApi } from './api-fixture';

/** Key with characters that JSON, URLs and base64 each write differently. */
const KEY = 'sk-echoed/4f"+&=5b~0123456789';
/** Marker that is not secret: a table without it was not searched. */
const OPEN = 'openmark4f5b';
const mask = new Redactor([KEY]).text;
const holds = (text: string): boolean => mask(text) !== text;

const SAID = `${OPEN} ${KEY} ${encodeURIComponent(KEY)} ${Buffer.from(KEY).toString('base64')}`;
/** Answers of a model that repeats its key, for each step; the last one again and again. */
const ANSWERS: Record<string, Reply[]> = {
  result: [{ json: { note: SAID, total: 1 } }],
  prose: [{ text: `oops ${SAID}` }],
  misfit: [{ json: { note: SAID, total: SAID, [SAID]: 1 } }],
  refused: [{ refusal: SAID }],
  cut: [{ text: `cut ${SAID}`, stop: 'length' }],
  wrong: [{ status: 400, error: { type: 'invalid_request_error', message: SAID } }],
  strange: [{ body: JSON.stringify({ echo: SAID }) }],
  looking: [
    { thinking: SAID, text: SAID, tool_calls: [{ name: 'source__find', arguments: { q: SAID } }] },
    { tool_calls: [{ name: 'source__find', arguments: `{"q": ${SAID}` }] },
    { json: { note: SAID, total: 2 } },
  ],
  lost: [{ text: SAID, tool_calls: [{ id: SAID, name: SAID, arguments: { [SAID]: SAID } }] }],
};
const CODES: Record<string, string | undefined> = {
  result: undefined,
  prose: 'llm_invalid_output',
  misfit: 'llm_invalid_output',
  refused: 'llm_refused',
  cut: 'llm_truncated',
  wrong: 'llm_bad_request',
  strange: 'llm_bad_response',
  looking: undefined,
  lost: 'llm_invalid_tool_call',
};

const CONNECTOR = (url: string): string => `
id: source
type: rest_api
connection: {base_url: "${url}"}
endpoints:
  find: {path: /find, parameters: [{name: q, type: string}], output_schema: {type: object, fields: [{name: items, type: any}]}}
`;
const SCHEMA = '{type: object, fields: [{name: note, type: string}, {name: total, type: number}]}';
const PLAYBOOK = (id: string, model: string): string => `
id: ${id}
name: ${id}
steps:
${Object.keys(ANSWERS)
  .map((step) => {
    const looks = step === 'looking' || step === 'lost';
    const params = `{instructions: "the step ${step} of ${id}", model: ${model}${looks ? ', tools: [source.find]' : ''}}`;
    return `  - {name: ${step}, step_type: llm_task, action: ${looks ? 'research_with_tools' : 'llm_analyze'}, inputs: {}, params: ${params}, output_schema: ${SCHEMA}, on_error: skip}`;
  })
  .join('\n')}
  - {name: gate, step_type: approval, prompt: "go on with {result.note}?", timeout_minutes: 0.01, on_timeout: skip}
  - {name: noted, step_type: tool, action: write_journal_entry, inputs: {summary: "{looking.note}"}, on_error: skip}
`;

interface Step {
  step: string;
  error?: { code: string };
}

let source: HttpSource;
let model: ModelServer;
let product: InProcess;
let api: TestApi;
const asked = new Map<string, number>();

function answer({ body }: SeenRequest): Reply | undefined {
  const [, step = '', id = ''] = /the step (\w+) of (\w+)/.exec(JSON.stringify(body)) ?? [];
  const replies = ANSWERS[step] ?? [];
  const count = asked.get(`${id} ${step}`) ?? 0;
  asked.set(`${id} ${step}`, count + 1);
  return replies[count] ?? replies.at(-1);
}

beforeAll(async () => {
  source = await startHttpSource((_request, response) => sendJson(response, { items: [] }));
  model = await ModelServer.start({ keys: [KEY] });
  model.respond(answer);
  const env = {
    AF_MODELS: 'openai/gpt-4.1,anthropic/claude-sonnet-5-5',
    OPENAI_API_KEY: KEY,
    OPENAI_BASE_URL: model.openaiUrl,
    ANTHROPIC_API_KEY: KEY,
    ANTHROPIC_BASE_URL: model.anthropicUrl,
    AF_EGRESS_ALLOW: `127.0.0.1:${source.port}`,
  };
  product = await startInProcess({ env });
  api = await startApiOf(product, env);
  expect(await api.call('POST', '/connectors', { source: CONNECTOR(source.url) })).toMatchObject({ status: 201 });
});
afterAll(async () => {
  await api?.close();
  await product?.close();
  await model?.close();
  await source?.close();
});

it.each([
  ['chat', 'openai/gpt-4.1'],
  ['responses', 'openai/gpt-6.2-sol'],
  ['messages', 'anthropic/claude-sonnet-5-5'],
])('a key that its model says is in no row, answer or request of ours (%s)', async (id, name) => {
  const saved = await api.call('POST', '/playbooks', { source: PLAYBOOK(id, name) });
  expect([saved.status, saved.body.detail]).toEqual([201, undefined]);
  const { body } = await api.call('POST', '/runs', { playbook: id });
  const run = await product.done(String(body['runId']));
  const { steps } = (await api.call('GET', `/runs/${run.id}`)).body as { steps?: Step[] };
  const codes = Object.keys(CODES).map((name) => [name, steps?.find(({ step }) => step === name)?.error?.code]);
  expect(Object.fromEntries(codes)).toEqual(CODES);
  expect(await canaryInTables(product, holds)).toEqual([]);
  const open = await canaryInTables(product, (text) => text.includes(OPEN));
  expect(open).toEqual(expect.arrayContaining(['table public.step_results']));

  const paths = [`/runs/${run.id}`, `/runs/${run.id}/model-calls`, `/approvals?run=${run.id}`];
  paths.push(...Object.keys(ANSWERS).map((step) => `/runs/${run.id}/tries?step_path=${step}`), '/journal');
  for (const at of paths) {
    const got = await api.call('GET', at);
    expect([at, got.status, holds(JSON.stringify(got.body))]).toEqual([at, 200, false]);
  }
  // A model gets nothing of it back, and no source is asked with it.
  expect(model.requests.filter((request) => holds(JSON.stringify(request.body)))).toEqual([]);
  expect(source.seen.filter((request) => holds(request.url ?? ''))).toEqual([]);
});

it('is taken out of log lines, where it is no placeholder', () => {
  const { mask: logged } = openKeys({ ...product.config, anthropicApiKey: 'none' });
  expect(logged.text(`a ${encodeURIComponent(KEY)} none`)).toBe('a [masked] none');
});
