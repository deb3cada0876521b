import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { waitUntil } from '../../../infra/embedded/process';
import type { FaultBench } from '../../support/fault-bench';
import { callStep, playbook } from '../../support/fault-texts';
import { checkLedger } from '../../support/ledger';
import { loginUrl } from '../../support/postgres';

const TOO_MANY = '53300';
const OURS = `from pg_stat_activity where application_name like 'agent-factory%' and usename = 'af_login'`;

/** Takes every connection that the server has for those that are no superusers. */
class IdleClients {
  private readonly clients: Client[] = [];

  constructor(private readonly url: string) {}

  async fill(): Promise<void> {
    for (;;) {
      const client = new Client({ connectionString: this.url });
      client.on('error', () => undefined);
      try {
        await client.connect();
        this.clients.push(client);
      } catch (error) {
        if ((error as { code?: string }).code === TOO_MANY) return;
        throw error;
      }
    }
  }

  async leave(): Promise<void> {
    await Promise.all(this.clients.splice(0).map((client) => client.end()));
  }
}

/** Others have taken all connections of the database server (`max_connections`): not those of our own pool. */
export function noConnections(bench: () => FaultBench): void {
  describe('no connection of the database server is left', () => {
    it('every answer is 503 with a code, and what is under way goes on when connections return', async () => {
      const { stack, witness } = bench();
      const { api, admin } = stack;
      const slug = await api.savePlaybook(playbook('crowded', [callStep('point', 'keyed'), callStep('then', 'keyed')]));
      const held = witness.hold(({ key }) => key.endsWith('/point'));
      const runId = await api.startRun(slug);
      const { release } = await held;
      const clients = new IdleClients(loginUrl(stack.postgres.url));
      const ours = async (): Promise<number> => (await admin.query(`select 1 ${OURS}`)).length;
      try {
        // Connections of the product end while none of its processes can ask for another.
        const processes = [stack.apiProcess, ...stack.workers.filter((worker) => worker.alive())];
        for (const each of processes) each.signal('SIGSTOP');
        const taken = async (): Promise<boolean> => {
          await admin.query(`select pg_terminate_backend(pid) ${OURS}`);
          await clients.fill();
          return (await ours()) === 0;
        };
        await waitUntil(taken, { what: 'all connections in the hands of others', timeoutMs: 120_000 });
        await clients.fill();
        for (const each of processes) each.signal('SIGCONT');
        // The worker has its answer now, and no way to write it down.
        release();
        const asked = [
          ['GET', '/runs'],
          ['GET', `/runs/${runId}`],
          ['GET', '/approvals'],
          ['POST', '/playbooks', { source: playbook('crowded-2', [callStep('point', 'keyed')]) }],
          ['POST', '/runs', { playbook: slug }],
          ['POST', `/runs/${runId}/cancel`, {}],
          ['GET', '/search?q=x'],
          ['GET', '/users/me'],
        ] as const;
        for (const [method, path, body] of asked) {
          const { status, body: problem, headers } = await api.call(method, path, body);
          expect([method, path, status, problem['code']]).toEqual([method, path, 503, 'database_unavailable']);
          expect(headers.get('retry-after')).not.toBeNull();
        }
        expect((await fetch(`${api.url}/health/live`)).status).toBe(200);
        expect((await fetch(`${api.url}/health/ready`)).status).toBe(503);
        expect(await ours()).toBe(0);
        // Long enough for tries of the worker to fail.
        await sleep(2_000);
      } finally {
        await clients.leave();
      }
      expect(await api.done(runId)).toMatchObject({ status: 'complete' });
      expect(await checkLedger(stack, { witness, runs: [runId], effects: new Map([[runId, 2]]) })).toEqual([]);
    });
  });
}
