import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import type { Json, JsonObject } from '../../core/base/json';
import { LOCAL_USER_ID } from '../../core/base/run-status';
import { sendJson, startHttpSource, type HttpSource } from '../support/http-source';
import { readText, startInProcess, type InProcess } from '../support/in-process';
import { ModelServer } from '../support/model-server';
import { startApiOf, type TestApi } from './api-fixture';

/**
 * findings/flows: workflows that people run elsewhere (Argo, Dify, Kestra, n8n), in today's language, with the detours that it forces. Each is
 * saved and run over API, Temporal and worker; their sources and their model are stood in for at the wire.
 */
const FOLDER = path.join(__dirname, 'flows');
/** Children before those that run them. */
const FLOWS = readdirSync(FOLDER).toSorted();
const TODAY = new Date().toISOString().slice(0, 10);

const connectors = (base: string): string[] => [
  `id: flowsrc
type: rest_api
connection: {base_url: "${base}"}
endpoints:
  objects: {path: /objects, response_mapping: {results_path: items, fields: {id: id, name: name}}}
  search: {path: /search, parameters: [{name: q}], response_mapping: {results_path: items, fields: {id: id}}}
`,
  `id: flownews
type: rest_api
connection: {base_url: "${base}"}
endpoints:
  list: {path: /posts, response_mapping: {results_path: items, fields: {slug: slug, date: date, link: link}}}
  post: {path: "/posts/{slug}", parameters: [{name: slug, in: path, required: true}], response_mapping: {results_path: items, fields: {title: title, content: content}}}
`,
];

const ANSWERS: Record<string, Json> = {
  '/objects': [
    { id: 2, name: 'two' },
    { id: 1, name: 'one' },
  ],
  '/search': [{ id: 'a' }, { id: 'b' }],
  '/posts': [
    { slug: 'a', date: TODAY, link: 'https://news.example/a' },
    { slug: 'b', date: '2001-01-01', link: 'https://news.example/b' },
  ],
  '/posts/a': [{ title: 'A', content: 'About a.' }],
  '/posts/b': [{ title: 'B', content: 'About b.' }],
};

let source: HttpSource;
let model: ModelServer;
let product: InProcess;
let api: TestApi;
const warnings: Record<string, string[]> = {};
beforeAll(async () => {
  source = await startHttpSource(({ url }, response) => {
    const items = ANSWERS[new URL(url ?? '', 'http://x').pathname];
    sendJson(response, items === undefined ? {} : { items }, items === undefined ? 404 : 200);
  });
  model = await ModelServer.start({ autoFill: true });
  const models = { AF_MODELS: 'openai/gpt-4.1', OPENAI_API_KEY: 'key-of-the-tests', OPENAI_BASE_URL: model.openaiUrl };
  const egress = { AF_EGRESS_ALLOW: `127.0.0.1:${model.port},127.0.0.1:${source.port}` };
  product = await startInProcess({ env: { ...models, ...egress } });
  api = await startApiOf(product, { ...models, ...egress });
  for (const text of connectors(source.url)) {
    expect(await api.call('POST', '/connectors', { source: text })).toMatchObject({ status: 201 });
  }
  for (const file of FLOWS) {
    const text = readText(path.join(FOLDER, file));
    const { status, body } = await api.call('POST', '/playbooks', { source: text });
    expect([file, status, status === 201 ? [] : body.problems]).toEqual([file, 201, []]);
    const read = await api.call('POST', '/playbooks/validate', { source: text });
    warnings[file] = (read.body.problems ?? []).map(({ code, step }) => `${code} ${step ?? ''}`.trim());
  }
});
afterAll(async () => {
  await api?.close();
  await product?.close();
  await model?.close();
  await source?.close();
});

interface Run {
  status: string;
  message: string;
  value(step: string): Json;
  steps: string[];
}

async function run(playbook: string, inputs: JsonObject = {}): Promise<Run> {
  const { status, body } = await api.call('POST', '/runs', { playbook, inputs });
  expect([status, body.detail]).toEqual([201, undefined]);
  const ended = await product.done(String(body['runId']));
  const rows = await product.admin.query<{ step_path: string; status: string; output: { value: Json } | null }>(
    `select step_path, status, output from step_results where run_id = $1 order by step_path`,
    [ended.id],
  );
  return {
    status: ended.status,
    message: ended.status_message ?? '',
    value: (step) => rows.find((row) => row.step_path === step)?.output?.value ?? null,
    steps: rows.map((row) => `${row.step_path} ${row.status}`),
  };
}
/** Notes that begin so, in their order. */
const journal = async (beginning: string): Promise<string[]> => {
  const rows = await product.admin.query<{ summary: string }>(
    `select summary from journal_entries where owner_id = $1 and starts_with(summary, $2) order by summary`,
    [LOCAL_USER_ID, beginning],
  );
  return rows.map(({ summary }) => summary);
};
/** Result of a step of the playbook's last run, also of a step inside the workflow. */
async function outputOf(playbook: string, step: string): Promise<unknown> {
  const [last] = await product.admin.query<{ id: string }>(
    `select id from runs where playbook_slug = $1 order by created_at desc limit 1`,
    [playbook],
  );
  const { body } = await api.call('GET', `/runs/${last?.id ?? ''}/outputs/${step}`);
  return body;
}

it('are saved, and validation says of them what a person has to know', () => {
  const silent = Object.fromEntries(FLOWS.map((file) => [file, [] as string[]]));
  // The wait is a gate that time passes: an effect behind it would run without a yes.
  expect(warnings).toEqual({ ...silent, 'argo-loop-result.yaml': ['effect_after_skippable_gate done'] });
});

it('argo-conditionals.yaml: a step that its condition leaves out, and one in whatever case the word is written', async () => {
  expect(await run('flow-argo-conditionals')).toMatchObject({ status: 'complete', steps: [] });
  const on = await run('flow-argo-conditionals', { do_print: 'TRUE' });
  expect(on).toMatchObject({ status: 'complete', steps: ['print ok'] });
  expect(await journal('hello')).toEqual(['hello']);
});

it('argo-loop-result.yaml: an item for each number, after its wait', async () => {
  const steps = [0, 1, 2].map((at) => `each[${at}]/done ok`);
  expect(await run('flow-argo-loop')).toMatchObject({ status: 'complete', steps });
  expect(await journal('slept')).toEqual(['slept 20', 'slept 21', 'slept 22']);
});

it.each([
  [{}, 'plain'],
  [{ country: 'Ireland' }, 'local'],
])(
  'dify-translation.yaml: %j takes the branch %s, whose text is joined with nothing of the other',
  async (more, branch) => {
    const inputs = { source_lang: 'de', target_lang: 'en', source_text: 'Hallo', ...more };
    const ended = await run('flow-dify-translation', inputs);
    const steps = ['$output ok', 'improve ok', 'translation ok', `${branch} ok`].toSorted();
    expect({ ...ended, steps: ended.steps.toSorted() }).toMatchObject({ status: 'complete', message: '', steps });
  },
);

it('kestra-parent.yaml and kestra-child.yaml: a child for each object, whose records come together in order', async () => {
  expect(await run('flow-kestra-parent')).toMatchObject({ status: 'complete', steps: ['download ok'] });
  expect(await outputOf('flow-kestra-parent', 'merged')).toMatchObject({
    data: [
      { id: 1, name: 'one' },
      { id: 2, name: 'two' },
    ],
  });
});

it('n8n-deep-research.yaml: what the searches found is read once each', async () => {
  const ended = await run('flow-n8n-research', { question: 'Why?' });
  expect(ended).toMatchObject({ status: 'complete', message: '' });
  expect(ended.steps.filter((step) => step.startsWith('reads'))).toEqual(
    [0, 1].flatMap((at) => [`reads[${at}]/ctx ok`, `reads[${at}]/get ok`]),
  );
  expect(ended.value('report')).toEqual({ text: 'stand-in text' });
});

it('n8n-graphql-cron.yaml: a note for each object, and no end on purpose where there are some', async () => {
  const steps = ['post[0]/msg ok', 'post[1]/msg ok', 'q ok'];
  expect(await run('flow-n8n-graphql')).toMatchObject({ status: 'complete', steps });
  expect(await journal('**')).toEqual(['**one**', '**two**']);
});

it('n8n-news.yaml: posts of a week are read and summed up; the list of lists that their rows are becomes rows of a table', async () => {
  const ended = await run('flow-n8n-news');
  expect(ended).toMatchObject({
    status: 'complete',
    message: '',
    steps: ['each[0]/both/key ok', 'each[0]/both/sum ok', 'each[0]/read ok', 'page ok', 'save ok'],
  });
  expect(ended.value('save')).toMatchObject({ rows_inserted: 1, rows_updated: 0, table_name: 'news' });
});
