import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { read, utils } from '@e965/xlsx';
import type { JsonObject } from '../../core/base/json';
import { LOCAL_USER_ID } from '../../core/base/run-status';
import { readText, startInProcess, type InProcess } from '../support/in-process';
import { startApiOf, type TestApi } from './api-fixture';

/**
 * findings/grants-skip.yaml and findings/grants.yaml, with a column that is there and all formats: over API, Temporal and worker. A
 * directory that may not be read gave an empty Excel file and a green run.
 */
const ROOT = path.resolve(__dirname, '../..');
const FORMATS = ['xlsx', 'csv', 'markdown', 'json'] as const;
const playbook = (id: string, read: string): string => `
id: ${id}
name: Grants to recipients
inputs:
  - {name: directory, type: string, required: false}
  - {name: at_least, type: number, default: 100000}
  - {name: word, type: string, required: true}
steps:
  - name: read
    step_type: tool
    action: call_connector
    connector: irs-990-xml
    endpoint: parse_filings
    inputs: {directory: "{directory}"}
    on_error: ${read}
  - name: big
    step_type: tool
    action: transform_data
    inputs: {data: "{read.grants}", at_least: "{at_least}", word: "{word}"}
    operations:
      - {type: filter, field: cash_grant, operator: gt, value: "{at_least}"}
      - {type: filter, field: recipient_name, operator: contains, value: "{word}", case_insensitive: true}
      - {type: sort, field: cash_grant, direction: desc}
      - {type: select, fields: [organization_name, tax_period_end, recipient_name, recipient_ein, cash_grant]}
    on_error: skip
  - name: ask
    step_type: approval
    preview_from: big.data
    prompt: "Write {big.count} grants above {at_least} to recipients named {word} to Excel?"
output:
  title: "Grants to {word}"
  format: markdown
  sections:
    - {title: Grants, source: big.data}
  summary: "{big.count} grants."
  destinations:
${FORMATS.map((format) => `    - {type: document, format: ${format}}`).join('\n')}
`;

let product: InProcess;
let api: TestApi;
beforeAll(async () => {
  product = await startInProcess();
  api = await startApiOf(product);
  const connector = readText(path.join(ROOT, 'catalog/connectors/irs-990-xml.yaml'));
  expect((await api.call('POST', '/connectors', { source: connector })).status).toBe(201);
  for (const [id, more] of [
    ['grants-skip', 'skip'],
    ['grants-to', 'stop'],
  ] as const)
    expect(await api.call('POST', '/playbooks', { source: playbook(id, more) })).toMatchObject({ status: 201 });
});
afterAll(async () => {
  await api?.close();
  await product?.close();
});

async function begun(id: string, inputs: JsonObject): Promise<string> {
  const { body } = await api.call('POST', '/runs', { playbook: id, inputs });
  return String(body['runId']);
}

/** The texts that readers see, by format, after somebody has agreed. */
async function written(runId: string): Promise<Record<(typeof FORMATS)[number], string>> {
  const approvalId = await product.approval(runId);
  const { body: asked } = await api.call('GET', `/approvals/${approvalId}`);
  const decision = { decisionId: randomUUID(), digest: asked['digest'] };
  expect((await api.call('POST', `/approvals/${approvalId}/approve`, decision)).status).toBe(200);
  await product.done(runId);
  const { body } = await api.call('GET', `/runs/${runId}`);
  const report = body['routing_report'] as { status: string; details: Places }[];
  expect(report.map(({ status }) => status)).toEqual(FORMATS.map(() => 'success'));
  const texts = await Promise.all(report.map(({ details }) => shown(details)));
  return Object.fromEntries(FORMATS.map((format, at) => [format, texts[at]])) as Record<
    (typeof FORMATS)[number],
    string
  >;
}

interface Places {
  document_id: string;
  /** CSV holds rows alone: what is to be said of them lies beside it. */
  meta_document_id?: string;
}

async function shown({ document_id: id, meta_document_id: beside }: Places): Promise<string> {
  return `${await downloaded(id)}${beside === undefined ? '' : await downloaded(beside)}`;
}

async function downloaded(id: string): Promise<string> {
  const answer = await fetch(`${api.url}/api/agent-factory/documents/${id}/download`, { headers: api.headers });
  const bytes = Buffer.from(await answer.arrayBuffer());
  if (bytes.subarray(0, 2).toString('latin1') !== 'PK') return bytes.toString('utf8');
  const { Sheets } = read(bytes);
  return Object.values(Sheets)
    .map((sheet) => utils.sheet_to_csv(sheet))
    .join('\n');
}

it('grants-skip.yaml: what could not be read is said first when asked, and in every output; "not computed" is no empty table', async () => {
  const runId = await begun('grants-skip', { directory: '/nowhere/at/all', word: 'fund' });
  const { body: asked } = await api.call('GET', `/approvals/${await product.approval(runId)}`);
  expect(asked['failures']).toMatchObject([
    { step: 'read', kind: 'failed', code: 'directory_not_allowed' },
    { step: 'big', kind: 'failed', code: 'missing_data' },
  ]);
  const texts = await written(runId);
  expect(await product.done(runId)).toMatchObject({ status: 'partial' });
  for (const format of FORMATS) {
    expect([format, texts[format]]).toEqual([format, expect.stringContaining('directory_not_allowed')]);
    expect([format, texts[format]]).toEqual([format, expect.not.stringContaining('No rows.')]);
  }
  expect(texts.markdown).toContain('Not computed');
  expect(texts.xlsx).toContain('Not computed');
  expect(JSON.parse(texts.csv)).toMatchObject({ status: 'partial', sections: [{ computed: false }] });
  expect(JSON.parse(texts.json)).toMatchObject({ sections: [{ computed: false, value: null }] });
});

it('a list without rows reads differently, in a run that is complete', async () => {
  const runId = await begun('grants-skip', { word: 'nobody is called so' });
  const { body: asked } = await api.call('GET', `/approvals/${await product.approval(runId)}`);
  expect(asked['failures'] ?? []).toEqual([]);
  const texts = await written(runId);
  expect(await product.done(runId)).toMatchObject({ status: 'complete' });
  for (const format of FORMATS)
    expect([format, texts[format]]).toEqual([format, expect.not.stringMatching(/[Nn]ot computed|"computed": false/)]);
  expect(texts.markdown).toContain('No rows.');
  expect(JSON.parse(texts.json)).toMatchObject({ sections: [{ value: [] }] });
});

it('grants.yaml: with `stop` nobody is asked about what is not there, and nothing is written', async () => {
  const runId = await begun('grants-to', { directory: '/nowhere/at/all', word: 'fund' });
  expect(await product.done(runId)).toMatchObject({ status: 'failed', status_code: 'directory_not_allowed' });
  expect((await product.approvals.list(LOCAL_USER_ID, { runId })).items).toEqual([]);
  const { body } = await api.call('GET', `/documents?run=${runId}`);
  expect(body.items).toEqual([]);
});

it('grants.yaml as it was found: a column that no grant has is an error when it is saved', async () => {
  const source = playbook('grants-found', 'stop').replace('tax_period_end', 'tax_year');
  const { status, body } = await api.call('POST', '/playbooks', { source });
  expect({ status, problems: body.problems }).toMatchObject({
    status: 422,
    problems: [{ severity: 'error', code: 'unresolved_reference', step: 'big' }],
  });
});
