import { randomUUID } from 'node:crypto';
import { ApplicationFailure } from '@temporalio/common';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Json, JsonObject } from '../../../core/base/json';
import { waitUntil } from '../../../infra/embedded/process';
import { callStep, GATE, playbook } from '../../support/fault-texts';
import { historyChain, startInputOf } from '../../support/histories';
import { checkLedger } from '../../support/ledger';
import type { OutageBench } from '../../support/outage-bench';
import { temporalCommand, type TemporalAnswer } from '../../support/temporal-command';

const START = ['start', '--type', 'playbookRun', '--task-queue', 'af-default'];

/** Messages that Temporal's own program can send: unsealed, misspelt, for other owners' runs. */
export function operator(bench: () => OutageBench): void {
  const steps = [callStep('first', 'keyed'), GATE, callStep('second', 'keyed')];
  let gated = '';
  let plain = '';

  const temporal = (...args: string[]): Promise<TemporalAnswer> =>
    temporalCommand(bench().stack.temporal.address, ['workflow', ...args]);

  async function did(...args: string[]): Promise<void> {
    expect(await temporal(...args)).toMatchObject({ code: 0 });
  }

  const named = (runId: string): string[] => ['--workflow-id', `run-${runId}`];
  const input = (value: Json): string[] => ['--input', JSON.stringify(value)];
  const handleOf = (runId: string) => bench().stack.client.workflow.getHandle(`run-${runId}`);

  /** Type of the failure that the workflow ended with, at its root. */
  async function failureOf(runId: string): Promise<unknown> {
    const error: unknown = await handleOf(runId)
      .result()
      .catch((failed: unknown) => failed);
    const root = rootCause(error);
    return root instanceof ApplicationFailure ? root.type : root;
  }

  async function waiting(): Promise<{ runId: string; approvalId: string }> {
    const { api } = bench().stack;
    const runId = await api.startRun(gated);
    return { runId, approvalId: await api.approval(runId) };
  }

  /** The row says all the time that the run waits; a workflow that was reset first has to get there again. */
  async function atGate(runId: string, step: string): Promise<void> {
    const line = `\`${step}\`: waits for a decision`;
    const asks = async () => (await handleOf(runId).query<string>('progress')).includes(line);
    await waitUntil(asks, { what: `gate ${step} of the reset run`, timeoutMs: 60_000 });
  }

  async function expectLedger(runId: string, effects: number): Promise<void> {
    const { stack, witness } = bench();
    expect(await checkLedger(stack, { witness, runs: [runId], effects: new Map([[runId, effects]]) })).toEqual([]);
  }

  /** Keys of W's requests, each as often as it came. */
  const requests = (runId: string): string[] =>
    bench()
      .witness.seen.map(({ key }) => key)
      .filter((key) => key.startsWith(`${runId}/`));

  async function expectNoFailedTask(runId: string): Promise<void> {
    const chain = await historyChain(bench().stack, runId);
    expect(chain.flatMap((link) => link.failedTasks)).toEqual([]);
  }

  describe('Temporal’s own program', () => {
    let finished = '';
    let honest: JsonObject = {};

    beforeAll(async () => {
      const { stack } = bench();
      gated = await stack.api.savePlaybook(playbook('operated', steps));
      plain = await stack.api.savePlaybook(playbook('operated-plain', [steps[0] ?? '', steps[2] ?? '']));
      const { runId, approvalId } = await waiting();
      await stack.api.decide(approvalId, 'approve');
      expect(await stack.api.done(runId)).toMatchObject({ status: 'complete' });
      finished = runId;
      honest = await startInputOf(stack, runId);
    });

    it('starts nothing for a run that does not exist', async () => {
      const forged: [Json | undefined, string][] = [
        [undefined, 'invalid_start'],
        [null, 'invalid_start'],
        ['playbookRun', 'invalid_start'],
        [{ plan: { steps: [] } }, 'invalid_start'],
        [honest, 'context_mismatch'],
      ];
      for (const [given, failure] of forged) {
        const runId = randomUUID();
        const own = given === honest ? { ...honest, runId } : given;
        await did(...START, ...named(runId), ...(own === undefined ? [] : input(own)));
        expect([given, await failureOf(runId)]).toEqual([given, failure]);
        expect(requests(runId)).toEqual([]);
      }
    });

    it('starts nothing under the name of another run', async () => {
      const runId = randomUUID();
      await did(...START, ...named(runId), ...input(honest));
      expect(await failureOf(runId)).toBe('context_mismatch');
      expect(requests(finished).sort()).toEqual([`${finished}/first`, `${finished}/second`]);
    });

    it('starts a run before we do, with nothing in it: the run fails with a code', async () => {
      const { stack, apiToTemporal } = bench();
      apiToTemporal.cut();
      const runId = await stack.api.startRun(plain);
      await did(...START, ...named(runId));
      apiToTemporal.mend();
      expect(await stack.api.done(runId)).toMatchObject({ status: 'failed', code: 'workflow_failed', waits: [] });
      await expectLedger(runId, 0);
    });

    it('starts a finished run again: nothing is done twice, and its end stays', async () => {
      const { api } = bench().stack;
      const before = await api.run(finished);
      await did(...START, ...named(finished), ...input(honest));
      await handleOf(finished).result();
      expect(await api.run(finished)).toEqual(before);
      expect(requests(finished)).toHaveLength(2);
      await expectNoFailedTask(finished);
      await expectLedger(finished, 2);
    });

    it('sends what says nothing, which moves nothing; then it decides', async () => {
      const { stack } = bench();
      const { runId, approvalId } = await waiting();
      const signals: [string, Json?][] = [
        ['approval'],
        ['approval', null],
        ['approval', 'approve'],
        ['approval', { approvalId, decision: 'perhaps' }],
        ['approval', { approvalId: randomUUID(), decision: 'approve' }],
        ['resolve'],
        ['resolve', null],
        ['resolve', { stepPath: 5, outcome: 'done' }],
        ['resolve', { stepPath: 'gate', outcome: 'done' }],
        ['nothing-of-ours', 1],
      ];
      for (const [name, given] of signals)
        await did('signal', ...named(runId), '--name', name, ...(given === undefined ? [] : input(given)));
      const update = ['update', 'execute', ...named(runId), '--name', 'decideApproval'];
      expect((await temporal(...update)).code).not.toBe(0);
      expect((await temporal(...update, ...input({ approvalId, decisionId: randomUUID() }))).code).not.toBe(0);
      expect(await stack.api.run(runId)).toMatchObject({ status: 'waiting_approval' });
      expect(requests(runId)).toHaveLength(1);

      await did('signal', ...named(runId), '--name', 'approval', ...input({ approvalId, decision: 'approve' }));
      expect(await stack.api.done(runId)).toMatchObject({ status: 'complete' });
      expect(await stack.api.must('GET', `/approvals/${approvalId}`)).toMatchObject({
        decisions: [{ state: 'counted', via: 'signal', actor: 'temporal-operator' }],
      });
      await expectNoFailedTask(runId);
      await expectLedger(runId, 2);
    });

    it('misspells an outcome: the step still waits for a person', async () => {
      const { stack, witness } = bench();
      const silent = callStep('point', 'unsafe', { more: 'timeout_seconds: 2' });
      const slug = await stack.api.savePlaybook(playbook('operated-unsafe', [silent]));
      const held = witness.hold((seen) => seen.key.endsWith('/point'));
      const runId = await stack.api.startRun(slug);
      await held;
      const asks = () => stack.api.until(runId, (run) => run.status === 'needs_attention', 'needs_attention');
      await asks();
      const resolve = (outcome: string) =>
        did('signal', ...named(runId), '--name', 'resolve', ...input({ stepPath: 'point', outcome }));
      await resolve('Done');
      // An answer to a query comes after everything that was sent before it.
      await handleOf(runId).query('progress');
      expect(await asks()).toMatchObject({ waits: [{ kind: 'attention', step_path: 'point' }] });
      await resolve('done');
      expect(await stack.api.done(runId)).toMatchObject({ status: 'complete' });
      expect(requests(runId)).toHaveLength(1);
      await expectNoFailedTask(runId);
    });

    it('resets a run that waits: what was done is not done again, and it still answers', async () => {
      const { stack } = bench();
      const { runId, approvalId } = await waiting();
      await did('reset', ...named(runId), '--type', 'FirstWorkflowTask', '--reason', 'an operator did it');
      await atGate(runId, 'gate');
      expect([200, 202]).toContain((await stack.api.decide(approvalId, 'approve')).status);
      expect(await stack.api.done(runId)).toMatchObject({ status: 'complete' });
      expect(requests(runId).sort()).toEqual([`${runId}/first`, `${runId}/second`]);
      await expectNoFailedTask(runId);
      await expectLedger(runId, 2);
    });

    it('resets a run behind a decision: it counts as it did', async () => {
      const { api } = bench().stack;
      const second = GATE.replace('gate', 'again');
      const slug = await api.savePlaybook(playbook('operated-twice', [...steps, second, callStep('third', 'keyed')]));
      const runId = await api.startRun(slug);
      expect((await api.decide(await api.approval(runId), 'approve')).status).toBe(200);
      await api.until(runId, ({ waits }) => waits.some((wait) => wait.step_path === 'again'), 'the second gate');
      await did('reset', ...named(runId), '--type', 'FirstWorkflowTask', '--reason', 'an operator did it');
      await atGate(runId, 'again');
      expect([200, 202]).toContain((await api.decide(await api.approval(runId), 'approve')).status);
      expect(await api.done(runId)).toMatchObject({ status: 'complete' });
      expect(requests(runId).sort()).toEqual(['first', 'second', 'third'].map((name) => `${runId}/${name}`));
      await expectNoFailedTask(runId);
      await expectLedger(runId, 3);
    });

    it('resets a run, and a person decides before it is where it was: the decision is kept for it', async () => {
      const { stack, witness } = bench();
      const { runId, approvalId } = await waiting();
      // Removes the step's result: the reset run repeats it, and is not at its gate while W works.
      for (const table of ['step_results', 'step_attempts'])
        await stack.admin.query(`delete from ${table} where run_id = $1`, [runId]);
      const held = witness.hold((seen) => seen.key === `${runId}/first`);
      await did('reset', ...named(runId), '--type', 'FirstWorkflowTask', '--reason', 'an operator did it');
      const request = await held;
      const answer = await stack.api.decide(approvalId, 'approve');
      expect(answer).toMatchObject({ status: 202, body: { state: 'received' } });
      request.release();
      expect(await stack.api.done(runId)).toMatchObject({ status: 'complete' });
      const { decisions } = await stack.api.must<{ decisions: unknown[] }>('GET', `/approvals/${approvalId}`);
      expect(decisions).toMatchObject([{ state: 'counted' }]);
      await expectLedger(runId, 2);
    });

    it('cancels a run', async () => {
      const { stack } = bench();
      const { runId, approvalId } = await waiting();
      await did('cancel', ...named(runId));
      expect(await stack.api.done(runId)).toMatchObject({ status: 'cancelled', waits: [] });
      expect(await stack.api.decide(approvalId, 'approve')).toMatchObject({
        status: 409,
        body: { code: 'run_closed' },
      });
      await expectLedger(runId, 1);
    });
  });
}

function rootCause(error: unknown): unknown {
  return error instanceof Error && error.cause instanceof Error ? rootCause(error.cause) : error;
}
