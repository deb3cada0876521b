import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { isAlive, waitUntil } from '../../infra/embedded/process';
import { startOutageBench, type OutageBench } from '../support/outage-bench';
import { callStep, playbook } from '../support/fault-texts';
import { checkLedger } from '../support/ledger';
import { newFolder } from '../support/run-folder';
import { describeWithVolumes, SmallVolume } from '../support/small-volume';

const MEGABYTE = 1024 * 1024;

describeWithVolumes('a full disk', () => {
  let bench: OutageBench;
  const volumes: SmallVolume[] = [];
  const artefacts = newFolder('artefacts');

  function volume(folder: string, megabytes: number): SmallVolume {
    const made = SmallVolume.mount(folder, megabytes);
    volumes.push(made);
    return made;
  }

  let documents: SmallVolume;
  let logs: SmallVolume;
  let exported: SmallVolume;
  let cluster: SmallVolume;
  beforeAll(async () => {
    documents = volume(artefacts, 6);
    bench = await startOutageBench({ env: { AF_BLOB_DIR: artefacts } });
    const { stack } = bench;
    await stack.killWorkers();
    await stack.apiProcess.kill();
    logs = volume(path.join(stack.home, 'logs'), 3);
    mkdirSync(path.join(stack.home, 'exports'), { recursive: true });
    exported = volume(path.join(stack.home, 'exports'), 3);
    await stack.postgres.stop();
    cluster = volume(stack.postgres.dataDir, 60);
    await stack.postgres.start();
    await Promise.all([stack.startApi(), stack.startWorker()]);
  });
  afterAll(async () => {
    await bench?.close();
    for (const each of volumes) each.unmount();
  });

  const upload = async (
    bytes: Buffer,
  ): Promise<{ status: number; body: { code?: string; id?: string; documentId?: string } }> => {
    const url = `${bench.stack.api.url}/api/agent-factory/documents?name=random.bin`;
    const answer = await fetch(url, {
      method: 'POST',
      headers: { ...bench.stack.api.headers, 'content-type': 'application/octet-stream' },
      body: new Uint8Array(bytes),
    });
    return { status: answer.status, body: (await answer.json()) as { code?: string } };
  };

  it('F06b: of artefacts: what is listed is whole', async () => {
    const { api } = bench.stack;
    const good = randomBytes(MEGABYTE);
    expect((await upload(good)).status).toBe(201);
    documents.fill();
    expect(await upload(randomBytes(MEGABYTE))).toMatchObject({ status: 503, body: { code: 'storage_full' } });
    documents.free();
    const again = randomBytes(MEGABYTE);
    expect((await upload(again)).status).toBe(201);
    const { items } = await api.must<{ items: { id: string }[] }>('GET', '/documents');
    const sums = await Promise.all(items.map(({ id }) => downloaded(id)));
    expect(sums.sort()).toEqual([good, again].map(sum).sort());
  });

  async function downloaded(id: string): Promise<string> {
    const { url, headers } = bench.stack.api;
    const answer = await fetch(`${url}/api/agent-factory/documents/${id}/download`, { headers });
    return sum(Buffer.from(await answer.arrayBuffer()));
  }

  it('F06b: of exports: the step goes on when there is space, and no half file stays', async () => {
    const { stack } = bench;
    const rows = Array.from({ length: 300 }, (_unused, n) => ({ n, text: randomBytes(60).toString('hex') }));
    const file = `{name: file, step_type: tool, action: route_output, inputs: {data: "{rows}"}, params: {destinations: [{type: file_export, format: json, config: {filename_template: "{execution_id}"}}]}}`;
    const slug = await stack.api.savePlaybook(
      playbook('f06-export', [file], 'inputs: [{name: rows, type: list, required: true}]\n'),
    );
    exported.fill();
    const runId = await stack.api.startRun(slug, { rows });
    const handle = stack.client.workflow.getHandle(`run-${runId}`);
    const failing = async () =>
      JSON.stringify((await handle.describe()).raw.pendingActivities?.[0]?.lastFailure ?? null).includes(
        'storage_full',
      );
    await waitUntil(failing, { what: 'an attempt that found no space', timeoutMs: 60_000 });
    const shown = async () =>
      (await stack.api.must<{ code?: string }>('GET', `/runs/${runId}`)).code === 'storage_full';
    await waitUntil(shown, { what: 'the run to say so', timeoutMs: 120_000 });
    const wait = { kind: 'platform', code: 'storage_full', message: expect.stringContaining(exported.folder) };
    expect(await stack.api.must('GET', `/runs/${runId}`)).toMatchObject({
      status: 'running',
      message: `The disk of the exports (${exported.folder}) is full, so nothing was written. Free some space; the work continues by itself.`,
      waits: expect.arrayContaining([expect.objectContaining(wait)]),
    });
    exported.free();
    const end = await stack.api.done(runId);
    expect(end).toMatchObject({ status: 'complete', waits: [] });
    expect(end).not.toHaveProperty('code');
    const files = readdirSync(exported.folder, { recursive: true, withFileTypes: true }).filter((entry) =>
      entry.isFile(),
    );
    // The rows, and beside them what is to be said of them.
    expect(files).toHaveLength(2);
    const [only] = files.filter(({ name }) => !name.includes('.meta'));
    expect(JSON.parse(readFileSync(path.join(only?.parentPath ?? '', only?.name ?? ''), 'utf8'))).toEqual(rows);
    expect(await checkLedger(stack, { runs: [runId] })).toEqual([]);
  });

  it('F06b: of logs: nobody stops because of a line that cannot be written', async () => {
    const { stack, witness, apiToTemporal } = bench;
    const pids = [
      stack.apiProcess.pid,
      ...stack.workers.filter((worker) => worker.alive()).map((worker) => worker.pid),
    ];
    logs.fill();
    const slug = await stack.api.savePlaybook(playbook('f06-logs', [callStep('one', 'keyed')]));
    apiToTemporal.cut();
    const runId = await stack.api.startRun(slug);
    apiToTemporal.mend();
    expect(await stack.api.done(runId)).toMatchObject({ status: 'complete' });
    expect(pids.filter((pid) => !isAlive(pid))).toEqual([]);
    logs.free();
    expect(await checkLedger(stack, { witness, runs: [runId], effects: new Map([[runId, 1]]) })).toEqual([]);
  });

  it('F06a: of PostgreSQL: clear answers, and everything goes on when there is space', async () => {
    const { stack, witness } = bench;
    const { api } = stack;
    const steps = [
      callStep('first', 'keyed'),
      `{name: note, step_type: tool, action: write_journal_entry, inputs: {summary: "kept"}}`,
      callStep('second', 'keyed'),
    ];
    const slug = await api.savePlaybook(playbook('f06a', steps));
    const held = witness.hold((seen) => seen.key.endsWith('/first'));
    const runs = [await api.startRun(slug)];
    const request = await held;
    cluster.fill();
    const refused: string[] = [];
    const big = { playbook: slug, inputs: {}, query: randomBytes(2_000).toString('hex') };
    for (let at = 0; at < 400 && refused.length < 5; at++) {
      const { status, body } = await api.call('POST', '/runs', big);
      if (status === 201) runs.push(body['runId'] as string);
      else refused.push(`${status} ${body['code'] as string}`);
    }
    expect(refused).toHaveLength(5);
    expect(refused.filter((answer) => !['503 storage_full', '503 database_unavailable'].includes(answer))).toEqual([]);
    expect(refused).toContain('503 storage_full');
    request.release();
    await witness.arrived((seen) => seen.key === `${runs[0]}/first`);
    cluster.free();
    // A server that found no room for its own log has stopped; whoever supervises it starts it again.
    if (!isAlive(stack.postgres.pid())) await stack.postgres.start();
    for (const runId of runs) {
      api.acknowledged.add(runId);
      expect(await api.done(runId)).toMatchObject({ status: 'complete' });
    }
    expect(await checkLedger(stack, { witness, runs, effects: new Map(runs.map((runId) => [runId, 2])) })).toEqual([]);
  });
});

function sum(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}
