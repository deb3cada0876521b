import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describeWhere } from '../support/machine';
import { runSql, startPostgres } from '../support/postgres';
import { postgresClient, type PostgresClient } from '../support/postgres-client';
import { callStep, GATE, playbook, witnessConnector } from '../support/fault-texts';
import { newFolder } from '../support/run-folder';
import { startStack, type Stack, type StackFiles } from '../support/stack';
import { Witness } from '../support/witness';

const client = postgresClient();

/** One installation is stopped and copied as docs/operations.md says; the copies are started on servers of their own. */
const TEXT = playbook('kept', [callStep('before', 'keyed'), GATE, callStep('after', 'keyed')]);

let witness: Witness;
let backup: Required<StackFiles>;
let waiting: string;
let finished: string;

const copyOf = (folder: string): string => {
  const to = newFolder('backup');
  // Files of the database belong to its own user.
  execFileSync('cp', ['-a', `${folder}/.`, to]);
  return to;
};

const requestsOf = (runId: string): string[] =>
  witness.seen
    .filter(({ body }) => JSON.stringify(body).includes(runId))
    .map(({ body }) => (body as { what: string }).what);

async function approve(stack: Stack, runId: string): Promise<void> {
  expect((await stack.api.decide(await stack.api.approval(runId), 'approve')).status).toBe(200);
}

beforeAll(async () => {
  witness = await Witness.start();
  const temporal = newFolder('temporal-store');
  const stack = await startStack({ egress: [witness.address], files: { temporal } });
  await stack.api.saveConnector(witnessConnector('w', witness.url));
  await stack.api.savePlaybook(TEXT);
  waiting = await stack.api.startRun('kept');
  finished = await stack.api.startRun('kept');
  await stack.api.approval(waiting);
  await approve(stack, finished);
  expect((await stack.api.done(finished)).status).toBe('complete');
  await stack.stop();
  backup = {
    cluster: copyOf(path.dirname(stack.postgres.dataDir)),
    temporal: copyOf(temporal),
    home: copyOf(stack.home),
  };
});
afterAll(() => witness?.close());

describe('a backup of all parts', () => {
  let stack: Stack;
  beforeAll(async () => {
    const { cluster, temporal, home } = backup;
    const files = { cluster, temporal: copyOf(temporal), home: copyOf(home) };
    stack = await startStack({ egress: [witness.address], files });
  });
  afterAll(() => stack?.close());

  it('has what was finished, and lets what waited go on, with its keys and without a second effect', async () => {
    expect((await stack.api.run(finished)).status).toBe('complete');
    await approve(stack, waiting);
    expect((await stack.api.done(waiting)).status).toBe('complete');
    expect(requestsOf(waiting)).toEqual(['before', 'after']);
    // The credential of the source was sealed under the master keys that were carried along.
    expect(new Set(witness.seen.map(({ headers }) => headers.authorization))).toEqual(
      new Set([`Bearer ${stack.canary}`]),
    );
  });
});

describe('the database alone', () => {
  let stack: Stack;
  beforeAll(async () => {
    const { cluster, home } = backup;
    stack = await startStack({ egress: [witness.address], files: { cluster, home: copyOf(home) } });
  });
  afterAll(() => stack?.close());

  it('keeps what was done; an open run says that its workflow is gone, and a retry goes on from its gate', () =>
    goesOnWithoutTemporal(stack));
});

async function goesOnWithoutTemporal(stack: Stack): Promise<void> {
  expect((await stack.api.run(finished)).status).toBe('complete');
  expect(await stack.api.done(waiting)).toMatchObject({ status: 'failed', code: 'workflow_missing' });
  const sentBefore = witness.seen.length;
  const { runId } = await stack.api.must<{ runId: string }>('POST', `/runs/${waiting}/retry`, { from_step: 'gate' });
  await approve(stack, runId);
  expect((await stack.api.done(runId)).status).toBe('complete');
  // The retry goes on under the first run's id and keys: what another copy sent has the same key, so the target can tell.
  const sent = witness.seen.slice(sentBefore);
  expect(requestsOf(runId)).toEqual([]);
  expect(sent.map(({ body }) => body)).toEqual([expect.objectContaining({ what: 'after' })]);
  const keys = witness.seen.filter(({ body }) => (body as { what: string }).what === 'after').map(({ key }) => key);
  expect(keys.slice(0, -sent.length)).toContain(sent[0]?.key);
}

/** The folder of a new cluster, stopped, that got its rows as docs/operations.md says. */
async function restoredCluster(run: PostgresClient): Promise<string> {
  const folder = newFolder('dump');
  const [roles, dump] = [path.join(folder, 'roles.sql'), path.join(folder, 'agent_factory.dump')];
  const old = await startPostgres(backup.cluster);
  run('pg_dumpall', '--roles-only', '--no-role-passwords', '--file', roles, '--dbname', old.url);
  run('pg_dump', '-Fc', '--file', dump, old.url);
  await old.stop();
  const other = await startPostgres();
  // Roles that every cluster has are there already: psql goes on behind them.
  run('psql', '--quiet', '--file', roles, other.url);
  run('pg_restore', '--exit-on-error', '--dbname', other.url, dump);
  await runSql(other.url, RENUMBERED);
  await other.stop();
  return path.dirname(other.dataDir);
}

const RENUMBERED = 'update run_events set xid = pg_current_xact_id() where xid >= pg_current_xact_id()';

describeWhere('pg_dump', client !== undefined, 'a dump of the database, restored into another cluster', () => {
  let stack: Stack;
  beforeAll(async () => {
    const cluster = await restoredCluster(client as PostgresClient);
    stack = await startStack({ egress: [witness.address], files: { cluster, home: copyOf(backup.home) } });
  });
  afterAll(() => stack?.close());

  it('has the same rows, rights and row-level security, under a login of the new server', async () => {
    await goesOnWithoutTemporal(stack);
    const page = readFileSync(path.resolve(__dirname, '../../docs/operations.md'), 'utf8');
    expect(page).toContain(RENUMBERED);
    const events = await stack.admin.query<{ type: string }>(
      `select type from run_events where run_id = $1 order by seq`,
      [finished],
    );
    expect(events.at(-1)?.type).toBe('complete');
  });
});
