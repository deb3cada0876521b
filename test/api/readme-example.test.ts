import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import type { JsonObject } from '../../core/base/json';
import { readText, startInProcess, type InProcess } from '../support/in-process';
import { startApiOf, type TestApi } from './api-fixture';
import { pagesOf } from './pages';

/** The README's own playbook over the filings that ship with the product: API, Temporal, worker and database are real. */
const ROOT = path.resolve(__dirname, '../..');
const TOTAL = 3_937_322;

let product: InProcess;
let api: TestApi;
beforeAll(async () => {
  product = await startInProcess();
  api = await startApiOf(product);
});
afterAll(async () => {
  await api?.close();
  await product?.close();
});

function example(): string {
  const [, text] = /```yaml\n(id: big-grants\n[\s\S]*?)```/.exec(readText(path.join(ROOT, 'README.md'))) ?? [];
  if (text === undefined) throw new Error('the README has no playbook big-grants');
  return text;
}

it('keeps 33 grants of 3,937,322 dollars once a person has agreed', async () => {
  const connector = readText(path.join(ROOT, 'catalog/connectors/irs-990-xml.yaml'));
  expect((await api.call('POST', '/connectors', { source: connector })).status).toBe(201);
  const saved = await api.call('POST', '/playbooks', { source: example() });
  expect(saved).toMatchObject({ status: 201 });
  const { body: begun } = await api.call('POST', '/runs', { playbook: 'big-grants' });
  const runId = String(begun['runId']);

  const approvalId = await product.approval(runId);
  const { body: asked } = await api.call('GET', `/approvals/${approvalId}`);
  expect(asked['prompt']).toBe('Keep 33 grants?');
  expect(asked['failures'] ?? []).toEqual([]);
  const decision = { decisionId: randomUUID(), digest: asked['digest'] };
  expect((await api.call('POST', `/approvals/${approvalId}/approve`, decision)).status).toBe(200);

  expect(await product.done(runId)).toMatchObject({ status: 'complete' });
  const rows = await pagesOf(api, '/workspaces/default/tables/big_grants/rows?limit=20', (row) => row['values']);
  const grants = rows as JsonObject[];
  expect(grants).toHaveLength(33);
  expect(grants.reduce((sum, { cash_grant }) => sum + Number(cash_grant), 0)).toBe(TOTAL);
  expect(grants.filter(({ is_current, replaced_by }) => is_current !== true || replaced_by !== null)).toEqual([]);
});

it('says so in the words of the README', () => {
  expect(readText(path.join(ROOT, 'README.md'))).toContain(`33 grants of ${TOTAL.toLocaleString('en-US')} dollars`);
});
