import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import type { ActionTable } from '../../activities/actions/types';
import { isTerminal, LOCAL_USER_ID } from '../../core/base/run-status';
import { AppError } from '../../core/errors/app-error';
import { RunRetryStore } from '../../infra/db/stores/run-retry.store';
import type { RunRow } from '../../infra/db/stores/run-types';
import { StepsStore } from '../../infra/db/stores/steps.store';
import { TransitionsStore } from '../../infra/db/stores/transitions.store';
import type { RetryRunDto } from '../../src/runs/dto/run-commands.dto';
import type { RunRetryService } from '../../src/runs/run-retry.service';
import { waitUntil } from '../support/wait-until';
import { Definitions, WIT } from './changed-fixture';
import { call, CALLER, child, serviceOf, text, wobble } from './retries-fixture';

/** A retry that a person asks for goes on where the run ended: nothing that is done outside is done twice. */
let now: Definitions;
/** Waits half a second for a sub-playbook that has not ended. */
let hasty: Definitions;
let service: RunRetryService;
/** Paths of steps that fail; removed to mend them. */
const broken = new Set<string>();
const actions: ActionTable = {
  wobble: async (_call, { stepPath }) => {
    if (broken.has(stepPath)) throw new AppError('wobbles', `${stepPath} wobbles`, { category: 'upstream' });
    return { output: { ok: true } };
  },
};
beforeAll(async () => {
  [now, hasty] = await Promise.all([Definitions.start(actions), Definitions.start(actions, { endingMs: 500 })]);
  for (const each of [now, hasty]) {
    each.witness.respond(() => ({ body: { results: [{ ok: true }] } }));
    await each.connector(WIT);
  }
  service = serviceOf(now);
});
afterAll(async () => {
  await now?.close();
  await hasty?.close();
});

async function save(id: string, ...steps: string[]): Promise<void> {
  await now.stack.save(text(id, steps));
}
async function retry(run: { id: string }, body: RetryRunDto = {}): Promise<RunRow> {
  const { answer } = await service.retry(CALLER, run.id, body, undefined);
  return now.stack.done(answer.runId);
}
async function failing(path: string, slug: string): Promise<RunRow> {
  broken.add(path);
  const run = await now.run(slug, ['wit']);
  broken.delete(path);
  return run;
}

describe('a retry of a run with sub-playbooks', () => {
  it('goes on in the one that failed, at any depth, and takes over those that are complete, under the keys of before', async () => {
    await save('low', call('p', 'unsafe', 'low'), wobble('f'), call('z', 'post', 'low-z'));
    await save('mid', call('p', 'post', 'mid'), child('n', 'low'));
    await save('well', call('p', 'unsafe', 'well'));
    await save('top', child('w', 'well'), child('s', 'mid'), child('t', 'well'));
    const run = await failing('f', 'top');
    expect(run).toMatchObject({ status: 'failed' });
    const [mid] = (await now.children(run)).filter(({ playbook_slug: slug }) => slug === 'mid');
    const [low] = await now.children({ id: mid?.id ?? '' } as RunRow);
    const again = await retry(run);
    expect(again).toMatchObject({ status: 'complete', retry_of: run.id, retry_from: 's' });
    expect(now.sent('/unsafe/low')).toHaveLength(1);
    expect(now.sent('/post/mid')).toHaveLength(1);
    expect(now.sent('/post/low-z')).toEqual([{ path: '/post/low-z', key: `${low?.id}/z` }]);
    // `w` of the first run, `t` of the second.
    expect(now.sent('/unsafe/well')).toHaveLength(2);
    expect((await now.children(again)).map(({ playbook_slug: slug, retry_of: of }) => [slug, of])).toEqual(
      expect.arrayContaining([
        ['mid', mid?.id],
        ['well', null],
      ]),
    );
    // A retry of the retry has nothing left to do.
    expect(await retry(again)).toMatchObject({ status: 'complete' });
    expect(now.sent('/')).toHaveLength(5);
  });

  it('in branches, lists, turns and routes: what is well in them is not repeated', async () => {
    now.witness.seen.length = 0;
    await save('done', call('p', 'unsafe', 'done'));
    await save('stuck', call('p', 'unsafe', 'stuck'), wobble('f'));
    const inside = [child('a', 'done'), child('b', 'stuck'), call('c', 'unsafe', 'tool')].join(', ');
    const around = {
      branch: `{name: x, action: parallel, parallel_steps: [${inside}]}`,
      list: `{name: x, for_each: {items: [1, 2], as: i, steps: [${inside}]}}`,
      turns: `{name: x, loop: {until: "1 > 2", max_iterations: 2, steps: [${inside}]}}`,
      route: `{name: x, route: {on: a, routes: {a: [${inside}]}}}`,
    };
    for (const [name, step] of Object.entries(around)) await save(name, step);
    for (const name of Object.keys(around)) {
      now.witness.seen.length = 0;
      const run = await failing('f', name);
      expect([name, (await retry(run)).status]).toEqual([name, 'complete']);
      const times = name === 'list' || name === 'turns' ? 2 : 1;
      const counts = ['done', 'stuck', 'tool'].map((what) => now.sent(`/unsafe/${what}`).length);
      expect([name, ...counts]).toEqual([name, times, times, times]);
    }
  });

  it('one that ended partial goes on; effects behind it that do not rest on it stand', async () => {
    now.witness.seen.length = 0;
    await save('part', call('p', 'unsafe', 'part'), wobble('f', ', on_error: skip'));
    await save(
      'around',
      child('s', 'part'),
      call('q', 'unsafe', 'apart'),
      call('r', 'post', '"on-{s.result.status}"'),
      child('t', 'done'),
    );
    const run = await failing('f', 'around');
    expect(run).toMatchObject({ status: 'partial' });
    expect(await retry(run)).toMatchObject({ status: 'complete', retry_from: 's' });
    expect(now.sent('/unsafe/part')).toHaveLength(1);
    expect(now.sent('/unsafe/apart')).toHaveLength(1);
    expect(now.sent('/unsafe/done')).toHaveLength(1);
    // Different request: another effect, under its own key.
    const said = now.sent('/post/on-');
    expect(said.map(({ path }) => path)).toEqual(['/post/on-partial', '/post/on-complete']);
    expect(new Set(said.map(({ key }) => key)).size).toBe(2);
  });

  it('one that somebody names although it is complete begins anew; one that failed goes on', async () => {
    now.witness.seen.length = 0;
    await save('named', child('s', 'done'), child('b', 'stuck'));
    const run = await failing('f', 'named');
    const mended = await retry(run, { from_step: 'b' });
    expect(mended).toMatchObject({ status: 'complete' });
    expect(now.sent('/unsafe/')).toHaveLength(2);
    expect(await retry(mended, { from_step: 's' })).toMatchObject({ status: 'complete' });
    expect(now.sent('/unsafe/done')).toHaveLength(2);
    expect(now.sent('/unsafe/stuck')).toHaveLength(2);
  });

  it('in a list, loop or branch that somebody names: it goes on where something in it failed, and begins anew where all is well', async () => {
    const inside = [call('c', 'unsafe', 'in'), child('b', 'stuck')].join(', ');
    const around = {
      'named-branch': `{name: x, action: parallel, parallel_steps: [${inside}]}`,
      'named-list': `{name: x, for_each: {items: [1], as: i, steps: [${inside}]}}`,
      'named-turn': `{name: x, loop: {until: "1 < 2", max_iterations: 2, steps: [${inside}]}}`,
    };
    for (const [name, step] of Object.entries(around)) {
      await save(name, step);
      now.witness.seen.length = 0;
      const mended = await retry(await failing('f', name), { from_step: 'x' });
      expect([name, mended.status, mended.retry_from]).toEqual([name, 'complete', 'x']);
      expect([name, now.sent('/unsafe/').map(({ path }) => path)]).toEqual([
        name,
        expect.arrayContaining(['/unsafe/in', '/unsafe/stuck']),
      ]);
      expect(now.sent('/unsafe/')).toHaveLength(2);
      expect(await retry(mended, { from_step: 'x' })).toMatchObject({ status: 'complete' });
      expect([name, now.sent('/unsafe/').length]).toEqual([name, 4]);
    }
  });

  it('a step that ended with its run goes on where it is named: its request asks a person, and is not sent again', async () => {
    now.witness.seen.length = 0;
    now.witness.respond(() => new Promise(() => undefined));
    await save('waits', call('p', 'unsafe', 'waits', ', timeout_seconds: 1'));
    const runId = await now.begin('waits', ['wit']);
    const asks = ({ status }: RunRow): boolean => status === 'needs_attention';
    await now.stack.until(runId, asks);
    await now.stack.gateway.cancelRun(runId);
    const run = await now.stack.done(runId);
    now.witness.respond(() => ({ body: { results: [{ ok: true }] } }));
    const { answer } = await service.retry(CALLER, run.id, { from_step: 'p' }, undefined);
    await now.stack.until(answer.runId, asks);
    await new StepsStore(now.stack.database).resolve(LOCAL_USER_ID, answer.runId, 'p', 'done');
    await now.stack.gateway.resolveStep({ runId: answer.runId, stepPath: 'p', outcome: 'done' });
    expect(await now.stack.done(answer.runId)).toMatchObject({ status: 'complete' });
    expect(now.sent('/unsafe/waits')).toHaveLength(1);
  });

  it('one that was cancelled goes on, with its request open again', async () => {
    now.witness.seen.length = 0;
    await save(
      'asking',
      call('p', 'unsafe', 'asked'),
      '{name: g, step_type: approval, prompt: "?"}',
      call('q', 'post', 'asked'),
    );
    await save('asks', child('s', 'asking'));
    const runId = await now.begin('asks', ['wit']);
    const first = await now.child(runId);
    await now.stack.approval(first.id);
    await now.stack.gateway.cancelRun(runId);
    const run = await now.stack.done(runId);
    await now.stack.done(first.id);
    const { runId: second } = (await service.retry(CALLER, run.id, {}, undefined)).answer;
    const next = await now.child(second);
    await now.stack.decide(next.id, await now.stack.approval(next.id), 'approve');
    expect(await now.stack.done(second)).toMatchObject({ status: 'complete' });
    expect(now.sent('/unsafe/asked')).toHaveLength(1);
    expect(now.sent('/post/asked')).toEqual([{ path: '/post/asked', key: `${first.id}/q` }]);
  });

  it('a request without an outcome asks a person again, and what they said was done is done', async () => {
    now.witness.seen.length = 0;
    now.witness.respond(() => new Promise(() => undefined));
    await save('lost', call('p', 'unsafe', 'lost', ', timeout_seconds: 1'), wobble('f'));
    await save('loses', child('s', 'lost'));
    const attention = (id: string): Promise<RunRow> =>
      now.stack.until(id, ({ status }) => status === 'needs_attention');
    const runId = await now.begin('loses', ['wit']);
    const first = await now.child(runId);
    await attention(first.id);
    await now.stack.gateway.cancelRun(runId);
    await now.stack.done(first.id);
    now.witness.respond(() => ({ body: { results: [{ ok: true }] } }));
    broken.add('f');
    const { answer } = await service.retry(CALLER, (await now.stack.done(runId)).id, {}, undefined);
    const second = await now.child(answer.runId);
    await attention(second.id);
    await new StepsStore(now.stack.database).resolve(LOCAL_USER_ID, second.id, 'p', 'done');
    await now.stack.gateway.resolveStep({ runId: second.id, stepPath: 'p', outcome: 'done' });
    const failed = await now.stack.done(answer.runId);
    expect(failed).toMatchObject({ status: 'failed', status_code: 'wobbles' });
    broken.clear();
    expect(await retry(failed)).toMatchObject({ status: 'complete' });
    expect(now.sent('/unsafe/lost')).toHaveLength(1);
  });

  it('is for its caller alone: by itself one would send again what a yes of the caller let go once', async () => {
    now.witness.seen.length = 0;
    await save('inner', call('p', 'unsafe', 'inner'), wobble('f'));
    await save('middle', child('n', 'inner'));
    await save('outer', '{name: g, step_type: approval, prompt: "?"}', child('s', 'middle'));
    broken.add('f');
    const runId = await now.begin('outer', ['wit']);
    await now.stack.decide(runId, await now.stack.approval(runId), 'approve');
    const run = await now.stack.done(runId);
    broken.delete('f');
    const middle = await now.child(runId);
    const inner = await now.child(middle.id);
    const bodies: RetryRunDto[] = [{}, { from_step: 'p' }, { from_step: 'p', inputs: { id: 'other' } }, { with: {} }];
    for (const { id } of [middle, inner])
      for (const body of bodies)
        await expect(service.retry(CALLER, id, body, undefined)).rejects.toMatchObject({
          code: 'run_is_sub_playbook',
          category: 'conflict',
          message: expect.stringContaining(`Retry run ${runId} once it has ended`),
        });
    // The database refuses it to whoever does not ask before.
    const retries = new RunRetryStore(now.stack.database, new StepsStore(now.stack.database));
    const plan = { from: 'p', keep: [], takenOver: [], presets: {}, overrides: {}, renewed: ['p'], sharesKeys: false };
    await expect(retries.create(LOCAL_USER_ID, inner.id, { id: randomUUID() }, plan)).rejects.toMatchObject({
      code: 'run_is_sub_playbook',
    });
    expect(now.sent('/unsafe/inner')).toHaveLength(1);
    expect(await retry(run)).toMatchObject({ status: 'complete', retry_from: 's' });
    expect(now.sent('/unsafe/inner')).toHaveLength(1);
  });

  it('edited inputs reach a sub-playbook, which begins anew', async () => {
    now.witness.seen.length = 0;
    await now.stack.save(
      `id: given\ninputs: [{name: to, type: string, required: true}]\nsteps:\n  - ${call('p', 'unsafe', '"{to}"')}\n  - ${wobble('f')}\n`,
    );
    await save('gives', child('s', 'given', ', inputs: {to: a}, on_error: stop'));
    const run = await failing('f', 'gives');
    expect(await retry(run, { from_step: 's', inputs: { to: 'b' } })).toMatchObject({ status: 'complete' });
    expect(now.sent('/unsafe/').map(({ path }) => path)).toEqual(['/unsafe/a', '/unsafe/b']);
  });
});

/** Child whose workflow is gone: its caller has ended, and the reconciler has not closed its row yet. */
describe('a sub-playbook that has not ended when its caller is retried', () => {
  async function ending(definitions: Definitions): Promise<{ run: RunRow; child: string }> {
    const { stack } = definitions;
    await stack.save(text('open', [call('p', 'unsafe', 'open'), '{name: g, step_type: approval, prompt: "?"}']));
    await stack.save(text('opens', [child('s', 'open')]));
    const runId = await definitions.begin('opens', ['wit']);
    const { id } = await definitions.child(runId);
    await stack.approval(id);
    await stack.client.workflow.getHandle(`run-${id}`).terminate('by an operator');
    const run = await stack.done(runId);
    expect(isTerminal((await stack.runs.require(LOCAL_USER_ID, id)).status)).toBe(false);
    return { run, child: id };
  }
  function reconcile({ stack }: Definitions, id: string): Promise<unknown> {
    const names = { id, playbook_name: 'open' };
    return new TransitionsStore(stack.database).closeFromOutside(names, 'failed', 'workflow_terminated', 'Terminated.');
  }
  const again = async (definitions: Definitions, run: RunRow): Promise<string> =>
    (await serviceOf(definitions).retry(CALLER, run.id, {}, undefined)).answer.runId;
  async function endsWell(definitions: Definitions, runId: string, before: string): Promise<void> {
    const { stack } = definitions;
    const next = await definitions.child(runId);
    expect(next).toMatchObject({ retry_of: before });
    await stack.decide(next.id, await stack.approval(next.id), 'approve');
    expect(await stack.done(runId)).toMatchObject({ status: 'complete' });
    expect(definitions.sent('/unsafe/open')).toHaveLength(1);
  }

  it('is waited for, and then gone on with', async () => {
    now.witness.seen.length = 0;
    const { run, child: first } = await ending(now);
    const runId = await again(now, run);
    const handle = now.stack.client.workflow.getHandle(`run-${runId}`);
    await waitUntil('the step that waits for its end', async () => {
      // Workflow may not exist yet.
      const pending = (await handle.describe().catch(() => undefined))?.raw.pendingActivities;
      return pending?.some(({ activityType }) => activityType?.name === 'create_child_run') === true;
    });
    expect(await now.children({ id: runId } as RunRow)).toEqual([]);
    await reconcile(now, first);
    await endsWell(now, runId, first);
  });

  it('fails the step after a while, by name; a retry after its end goes on with it', async () => {
    const { run, child: first } = await ending(hasty);
    const failed = await hasty.stack.done(await again(hasty, run));
    expect(failed).toMatchObject({
      status: 'failed',
      status_code: 'sub_playbook_not_ended',
      status_message: expect.stringContaining(first),
    });
    await reconcile(hasty, first);
    await endsWell(hasty, await again(hasty, failed), first);
  });
});
