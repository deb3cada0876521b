import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from '@jest/globals';
import { isJsonObject, type Json, type JsonObject } from '../../../core/base/json';
import { stopAt, type StopPlace } from '../../support/database-stop';
import type { FaultBench } from '../../support/fault-bench';
import { playbook } from '../../support/fault-texts';
import { checkLedger } from '../../support/ledger';
import { newFolder } from '../../support/run-folder';
import type { Seen } from '../../support/witness';

const FILES = 8;
const DAMAGED = [3, 6];
const READ = [1, 2, 4, 5, 7, 8].map((at) => `row ${at}`);
const REFUSED = 'row 5';
const LAST = 'row 7';
const CONNECTOR = `
id: batch-rows
name: Rows
type: file_parser
connection: {source: [directory], accepted_formats: [csv]}
endpoints:
  rows: {parser: csv, fields: [{field: what, column: what}]}
`;
const send =
  '{name: send, step_type: tool, action: call_connector, connector: w, endpoint: keyed, inputs: {run: "{execution_id}", what: "{row.what}"}}';
const BATCH = `${playbook(
  'batch',
  [
    '{name: read, step_type: tool, action: call_connector, connector: batch-rows, endpoint: rows, inputs: {directory: "{dir}"}}',
    `{name: each, for_each: {items: "{read.results}", as: row, max_parallel: 2, steps: [${send}]}}`,
    '{name: gate, step_type: approval, prompt: "{each.count} sent", preview_from: read.results}',
  ],
  'inputs: [{name: dir, type: string, required: true}]\n',
)}output:
  sections: [{title: Rows, source: read.results}, {title: Sent, source: each.results}]
  destinations: [{type: document, format: markdown}]
`;

/** Eight files, two of which are no text. */
function batchFolder(): string {
  const folder = path.join(newFolder('batch'), 'files');
  mkdirSync(folder);
  for (let at = 1; at <= FILES; at += 1) {
    const damaged = DAMAGED.includes(at);
    writeFileSync(path.join(folder, `${at}.csv`), damaged ? Buffer.from([0, 1, 2, 0, 255, 0]) : `what\nrow ${at}\n`);
  }
  return folder;
}

const whatOf = ({ body }: Pick<Seen, 'body'>): Json => (isJsonObject(body) ? (body['what'] ?? null) : null);

/** Parts of a batch fail, and the worker is killed between them: what is missing is told at every place, and nothing else is missing. */
export function batches(bench: () => FaultBench): void {
  /** The worker dies where the run stops; what it was about to write is not there. */
  async function killAt(place: StopPlace, reach: () => Promise<unknown>): Promise<void> {
    const { stack } = bench();
    const stop = await stopAt(stack.postgres.url, place);
    await reach();
    await stop.reached();
    await stack.killWorkers();
    await stop.breakOff();
    await stop.release();
    await stack.startWorker();
  }

  async function report(runId: string): Promise<string> {
    const { api } = bench().stack;
    const { items } = await api.must<{ items: { id: string; runId: string }[] }>('GET', '/documents');
    const [document, ...more] = items.filter((item) => item.runId === runId);
    expect(more).toEqual([]);
    const answer = await fetch(`${api.url}/api/agent-factory/documents/${document?.id}/download`, {
      headers: api.headers,
    });
    return answer.text();
  }

  it('parts of a batch fail, and workers die between: counts, request and report are right, each file is there once', async () => {
    const { stack, witness } = bench();
    const { api } = stack;
    const dir = batchFolder();
    await api.must('POST', '/settings/import-dirs', { path: dir });
    await api.saveConnector(CONNECTOR);
    const slug = await api.savePlaybook(BATCH);
    witness.respond((seen) => (whatOf(seen) === REFUSED ? { status: 404 } : undefined));
    const held = witness.hold((seen) => whatOf(seen) === LAST);

    let runId = '';
    const start = async (): Promise<string> => (runId = await api.startRun(slug, { dir }));
    // Kills after the reading, before its record.
    await killAt({ table: 'step_results', when: `new.step_path = 'read'` }, start);
    // Waits until some items are through, one was refused and one is at its source.
    await held;
    await stack.killWorkers();
    await stack.startWorker();

    const approvalId = await api.approval(runId);
    const unread = { code: 'not_read', message: '2 of 8 files not read' };
    const failed = { code: 'items_failed', message: '1 of 6 items failed' };
    const failures = [
      { step: 'read', kind: 'incomplete', ...unread },
      { step: 'each[3]/send', kind: 'failed', code: 'upstream_not_found' },
      { step: 'each', kind: 'incomplete', ...failed },
    ];
    const asked = await api.must<{ failures: JsonObject[]; prompt: string }>('GET', `/approvals/${approvalId}`);
    expect(asked).toMatchObject({ prompt: '6 sent', failures });
    // Kills in the output, before its document exists.
    await killAt({ table: 'documents', when: `new.step_path = '$output'` }, () => api.decide(approvalId, 'approve'));

    const run = await api.done(runId);
    expect(run.status).toBe('partial');
    expect(run['outputs']).toMatchObject({
      read: { results: READ.map((what) => ({ what })), error_count: 2 },
      each: { count: 6, failed_count: 1 },
    });
    const ends = new Map(
      (await api.events(runId)).flatMap(({ event, data }) => (event === 'step.finished' ? [[data['step'], data]] : [])),
    );
    expect([ends.get('read'), ends.get('each')]).toMatchObject([{ incomplete: [unread] }, { incomplete: [failed] }]);
    const text = await report(runId);
    for (const what of READ) expect(text.split(` | ${what} |\n`)).toHaveLength(2);
    for (const { message } of [unread, failed]) expect(text).toContain(message);
    expect(await checkLedger(stack, { witness, runs: [runId], effects: new Map([[runId, READ.length]]) })).toEqual([]);
  });
}
