import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ActionTable } from '../../activities/actions/types';
import { LOCAL_USER_ID } from '../../core/base/run-status';
import { AppError } from '../../core/errors/app-error';
import type { RunRow } from '../../infra/db/stores/run-types';
import { StepsStore } from '../../infra/db/stores/steps.store';
import type { RetryRunDto } from '../../src/runs/dto/run-commands.dto';
import type { RunRetryService } from '../../src/runs/run-retry.service';
import { waitUntil } from '../support/wait-until';
import { Definitions, WIT } from './changed-fixture';
import { call, CALLER, child, serviceOf, text, wobble } from './retries-fixture';

/** Retries of one run at the same time, and retries of retries that ended early. */
let now: Definitions;
let service: RunRetryService;
/** Paths of steps that fail; removed to mend them. */
const broken = new Set<string>();
let says = 'V0';
const actions: ActionTable = {
  wobble: async (_call, { stepPath }) => {
    if (broken.has(stepPath)) throw new AppError('wobbles', `${stepPath} wobbles`, { category: 'upstream' });
    return { output: { ok: says } };
  },
};
beforeAll(async () => {
  now = await Definitions.start(actions);
  now.witness.respond(() => ({ body: { results: [{ ok: true }] } }));
  await now.connector(WIT);
  service = serviceOf(now);
});
afterAll(() => now?.close());

async function save(id: string, ...steps: string[]): Promise<void> {
  await now.stack.save(text(id, steps));
}
async function failing(path: string, slug: string): Promise<RunRow> {
  broken.add(path);
  const run = await now.run(slug, ['wit']);
  broken.delete(path);
  return run;
}
async function retry(run: { id: string }, body: RetryRunDto = {}): Promise<RunRow> {
  const { answer } = await service.retry(CALLER, run.id, body, undefined);
  return now.stack.done(answer.runId);
}

describe('retries of one run', () => {
  /** Waits until the run asks about the outcome of a request, and returns the question. */
  async function question(runId: string): Promise<string> {
    const run = await now.stack.until(runId, ({ status }) => status === 'needs_attention', 'the question');
    return JSON.stringify(run.waits);
  }
  async function answer(runId: string, path: string, outcome: 'done' | 'not_done' | 'repeat'): Promise<void> {
    await new StepsStore(now.stack.database).resolve(LOCAL_USER_ID, runId, path, outcome);
    await now.stack.gateway.resolveStep({ runId, stepPath: path, outcome });
  }
  async function retrying(id: string): Promise<string> {
    return (await service.retry(CALLER, id, {}, undefined)).answer.runId;
  }

  /** Two retries of a run, at once; a person says that what the other one sent is done. */
  async function retriedTwice(run: { id: string }): Promise<string[]> {
    const both = [1, 2].map(async () => (await service.retry(CALLER, run.id, {}, undefined)).answer.runId);
    const ids = await Promise.all(both);
    const asking = `select id, waits -> 0 ->> 'step_path' as step_path from runs
      where root_run_id = any($1) and status = 'needs_attention'`;
    let asked: { id: string; step_path: string }[] = [];
    // Second retry takes the result over, or asks while the outcome is unknown.
    await waitUntil('a question, or both ends', async () => {
      asked = await now.stack.admin.query(asking, [ids]);
      const open = await now.stack.admin.query('select 1 from runs where id = any($1) and not af_closed(status)', [
        ids,
      ]);
      return asked.length > 0 || open.length === 0;
    });
    expect(asked.length).toBeLessThan(2);
    for (const { id, step_path: path } of asked) {
      await new StepsStore(now.stack.database).resolve(LOCAL_USER_ID, id, path, 'done');
      await now.stack.gateway.resolveStep({ runId: id, stepPath: path, outcome: 'done' });
    }
    for (const id of ids) expect(await now.stack.done(id)).toMatchObject({ status: 'complete' });
    return ids;
  }
  const keysOf = (path: string): Set<string> => new Set(now.sent(path).map(({ key }) => key));

  it('two send nothing twice in a sub-playbook that it had not begun, at any depth', async () => {
    now.witness.seen.length = 0;
    await save('unbegun-low', call('u', 'unsafe', 'unbegun'), call('k', 'post', 'unbegun'));
    await save('unbegun-mid', child('n', 'unbegun-low'));
    await save('unbegun', wobble('f'), child('s', 'unbegun-mid'));
    await retriedTwice(await failing('f', 'unbegun'));
    expect(now.sent('/unsafe/unbegun')).toHaveLength(1);
    expect(keysOf('/post/unbegun').size).toBe(1);
  });

  it('two send once what rests on what failed in it; edited inputs are another thing', async () => {
    now.witness.seen.length = 0;
    const reads = '"pay-{r.ok}"';
    await now.stack.save(`${text('renewed-child', [call('k', 'post', 'below')])}inputs: [{name: x, type: any}]\n`);
    await save(
      'renewed',
      wobble('r', ', on_error: skip'),
      call('u', 'unsafe', reads),
      call('k', 'post', reads),
      child('s', 'renewed-child', ', inputs: {x: "{r.ok}"}'),
    );
    const run = await failing('r', 'renewed');
    const [first] = await retriedTwice(run);
    expect(now.sent('/unsafe/').map(({ path }) => path)).toEqual(['/unsafe/pay-', '/unsafe/pay-V0']);
    expect(keysOf('/post/pay-V0').size).toBe(1);
    // The sub-playbook is another one by its inputs; what it sent is the same, and done.
    expect(keysOf('/post/below').size).toBe(1);
    // Named step: it is done again, in each retry.
    await retry({ id: first ?? '' }, { from_step: 'k' });
    await retry({ id: first ?? '' }, { from_step: 'k' });
    expect(keysOf('/post/pay-V0').size).toBe(3);
  });

  it('what says something else leaves under another key, also where two retries share theirs', async () => {
    now.witness.seen.length = 0;
    await save('other', wobble('r', ', on_error: skip'), call('k', 'post', '"tell-{r.ok}"'));
    const run = await failing('r', 'other');
    for (says of ['V1', 'V1', 'V2']) await retry(run);
    says = 'V0';
    expect(now.sent('/post/').map(({ path }) => path)).toEqual(['/post/tell-', '/post/tell-V1', '/post/tell-V2']);
    expect(keysOf('/post/').size).toBe(3);
  });

  it('after a person said that a request was not done, it leaves once', async () => {
    now.witness.seen.length = 0;
    now.witness.respond(({ path }) =>
      path === '/unsafe/undone' && now.sent('/unsafe/undone').length === 1
        ? new Promise(() => undefined)
        : { body: { results: [{ ok: true }] } },
    );
    await save('undone', call('u', 'unsafe', 'undone', ', timeout_seconds: 1'));
    const runId = await now.begin('undone', ['wit']);
    await now.stack.until(runId, ({ status }) => status === 'needs_attention', 'the question');
    await new StepsStore(now.stack.database).resolve(LOCAL_USER_ID, runId, 'u', 'not_done');
    await now.stack.gateway.resolveStep({ runId, stepPath: 'u', outcome: 'not_done' });
    await retriedTwice(await now.stack.done(runId));
    now.witness.respond(() => ({ body: { results: [{ ok: true }] } }));
    expect(now.sent('/unsafe/undone')).toHaveLength(2);
  });

  it('what was done in a turn with the same inputs is not done again for a failure of another turn', async () => {
    now.witness.seen.length = 0;
    const turn = [
      wobble('r', ', on_error: skip'),
      `{name: t, step_type: tool, action: transform_data, inputs: {data: [{a: "{r.ok}"}]}, operations: [{type: limit, count: 5}]}`,
      call('u', 'unsafe', '"turn-{r.ok}-{t.count}"'),
    ];
    await save('turns-well', `{name: l, loop: {until: "1 > 2", max_iterations: 3, steps: [${turn.join(', ')}]}}`);
    const run = await failing('l[0]/r', 'turns-well');
    expect(now.sent('/unsafe/').map(({ path }) => path)).toEqual([
      '/unsafe/turn--1',
      '/unsafe/turn-V0-1',
      '/unsafe/turn-V0-1',
    ]);
    expect(await retry(run)).toMatchObject({ status: 'complete' });
    expect(
      now
        .sent('/unsafe/')
        .map(({ path }) => path)
        .slice(3),
    ).toEqual(['/unsafe/turn-V0-1']);
  });

  it('in a sub-playbook that is begun anew what was done stays done, and what nobody knows of asks, with what is known of it', async () => {
    now.witness.seen.length = 0;
    now.witness.respond(({ path }) =>
      path === '/unsafe/low-lost' ? new Promise(() => undefined) : { body: { results: [{ ok: true }] } },
    );
    const lost = call('lost', 'unsafe', 'low-lost', ', timeout_seconds: 1');
    await now.stack.save(
      `${text('anew-low', [call('u', 'unsafe', 'low-done'), lost])}inputs: [{name: x, type: any}]\n`,
    );
    await now.stack.save(
      `${text('anew-mid', [child('n', 'anew-low', ', inputs: {x: 1}')])}inputs: [{name: x, type: any}]\n`,
    );
    await save('anew', wobble('r', ', on_error: skip'), child('s', 'anew-mid', ', inputs: {x: "{r.ok}"}'));
    broken.add('r');
    const first = await now.begin('anew', ['wit']);
    const inside = `select id from runs where root_run_id = $1 and playbook_slug = 'anew-low' and status = 'needs_attention'`;
    const asking = async (root: string): Promise<string> => {
      let found: { id: string }[] = [];
      await waitUntil('a question below', async () => (found = await now.stack.admin.query(inside, [root])).length > 0);
      return found[0]?.id ?? '';
    };
    await asking(first);
    broken.delete('r');
    await now.stack.gateway.cancelRun(first);
    await now.stack.done(first);
    now.witness.respond(() => ({ body: { results: [{ ok: true }] } }));
    const again = await retrying(first);
    const low = await asking(again);
    const told = await question(low);
    expect(told).toContain(`The run ${first} sent it last`);
    expect(told).toContain('with the same inputs; its outcome is not known there either');
    await answer(low, 'lost', 'repeat');
    expect(await now.stack.done(again)).toMatchObject({ status: 'complete' });
    expect(now.sent('/unsafe/').map(({ path }) => path)).toEqual([
      '/unsafe/low-done',
      '/unsafe/low-lost',
      '/unsafe/low-lost',
    ]);
  });

  it('says which retry of the same run sent what it asks about, and what is known of it', async () => {
    now.witness.seen.length = 0;
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    await save('sibling', wobble('f'), call('u', 'unsafe', 'sibling'));
    const run = await failing('f', 'sibling');
    now.witness.respond(async () => {
      await held;
      return { body: { results: [{ ok: true }] } };
    });
    const one = await retrying(run.id);
    await waitUntil('a request', () => Promise.resolve(now.sent('/unsafe/sibling').length > 0));
    const other = await retrying(run.id);
    expect(await question(other)).toContain(`The run ${one} sent it last`);
    release();
    expect(await now.stack.done(one)).toMatchObject({ status: 'complete' });
    await now.stack.gateway.cancelRun(other);
    await now.stack.done(other);
    now.witness.respond(() => ({ body: { results: [{ ok: true }] } }));
    // A third one finds the result of the first.
    expect(await now.stack.done(await retrying(other))).toMatchObject({ status: 'complete' });
    expect(now.sent('/unsafe/sibling')).toHaveLength(1);
  });

  it('a key stands for one body: other instructions leave under another key, the same ones under the same', async () => {
    now.witness.seen.length = 0;
    now.witness.respond(() => ({ status: 404 }));
    // Gates with approvers ask once more as long as the step is not done.
    const gate = `{name: g, step_type: approval, prompt: go, approvers: {users: ["${LOCAL_USER_ID}"]}}`;
    await save('worded', gate, call('k', 'post', '"words-{g.instructions}"'));
    const said = async (runId: string, instructions: string): Promise<RunRow> => {
      await now.stack.decide(runId, await now.stack.approval(runId), 'approve', { instructions });
      return now.stack.done(runId);
    };
    const first = await said(await now.begin('worded', ['wit']), 'one');
    for (const words of ['two', 'one', 'two']) await said(await retrying(first.id), words);
    const [one, two] = [keysOf('/post/words-one'), keysOf('/post/words-two')];
    expect([...one]).toEqual([`${first.id}/k`]);
    expect([...two]).toEqual([expect.stringMatching(new RegExp(`^${first.id}/k~[0-9a-f]{16}$`))]);
  });

  it('a body keeps the key under which it left, also where a retry has new keys for what rests on what failed', async () => {
    now.witness.seen.length = 0;
    now.witness.respond(() => new Promise(() => undefined));
    const counts = call('k', 'post', '"sum-{l.iterations}"', ', timeout_seconds: 1');
    await save(
      'kept-key',
      `{name: l, loop: {until: "1 > 2", max_iterations: 2, steps: [${wobble('r', ', on_error: skip')}]}}`,
      counts,
    );
    const run = await failing('l[0]/r', 'kept-key');
    expect(run).toMatchObject({ status: 'failed' });
    now.witness.respond(() => ({ body: { results: [{ ok: true }] } }));
    expect(await retry(run)).toMatchObject({ status: 'complete' });
    expect([...keysOf('/post/sum-2')]).toEqual([`${run.id}/k`]);
  });

  it('what was done with inputs of any size is not done again', async () => {
    now.witness.seen.length = 0;
    now.witness.respond(() => ({ body: { results: [{ ok: true }] } }));
    await now.connector(
      WIT.replace('id: wit', 'id: big').replace(
        /unsafe: (.*)parameters: \[/,
        'unsafe: $1parameters: [{name: more, in: body, type: string}, ',
      ),
    );
    const many = 'x'.repeat(400_000);
    await save(
      'sized',
      wobble('r', ', on_error: skip'),
      `{name: t, step_type: tool, action: transform_data, inputs: {data: [{a: "{r.ok}", b: "${many}"}]}, operations: [{type: select, fields: [b]}]}`,
      `{name: u, step_type: tool, action: call_connector, connector: big, endpoint: unsafe, inputs: {id: sized, more: "{t.data[0].b}"}, on_error: stop}`,
    );
    broken.add('r');
    const run = await now.run('sized', ['big']);
    broken.delete('r');
    expect(now.sent('/unsafe/sized')).toHaveLength(1);
    expect(await retry(run)).toMatchObject({ status: 'complete' });
    expect(now.sent('/unsafe/sized')).toHaveLength(1);
  });

  it('an effect that reads the results of a list says what is so now, where an item is repaired; what reads the others stays', async () => {
    now.witness.seen.length = 0;
    await save(
      'summed',
      `{name: fe, for_each: {items: [a, b], as: i, steps: [${wobble('r', ', on_error: skip')}]}}`,
      call('sum', 'unsafe', '"sum-{fe.failed_count}-of-{fe.count}"'),
      call('first', 'unsafe', '"first-{fe.results[0].ok}"'),
      `{name: f2, for_each: {items: "{fe.results}", as: j, max_parallel: 1, steps: [${call('e', 'unsafe', '"e-{j_index}-{j.ok}"')}]}}`,
    );
    const run = await failing('fe[1]/r', 'summed');
    const left = (): string[] => now.sent('/unsafe/').map(({ path }) => path.slice('/unsafe/'.length));
    expect(left()).toEqual(['sum-1-of-2', 'first-V0', 'e-0-V0', 'e-1-']);
    expect(await retry(run)).toMatchObject({ status: 'complete' });
    expect(left().slice(4)).toEqual(['sum-0-of-2', 'e-1-V0']);
  });

  it('a plain retry of an edited retry never sends the body of before under the key of the edit', async () => {
    now.witness.seen.length = 0;
    now.witness.respond(({ path }) =>
      path === '/post/edit' ? new Promise(() => undefined) : path === '/post/plain' ? { status: 404 } : { body: {} },
    );
    await save('reverse', call('k', 'post', 'plain', ', timeout_seconds: 1'));
    const run = await now.run('reverse', ['wit']);
    const edited = await retry(run, { from_step: 'k', inputs: { id: 'edit' } });
    expect(edited).toMatchObject({ status: 'failed' });
    now.witness.respond(() => ({ body: { results: [{ ok: true }] } }));
    expect(await retry(edited)).toMatchObject({ status: 'complete' });
    const keys = ['/post/edit', '/post/plain'].map(keysOf);
    expect(keys[0]?.size).toBe(1);
    expect([...(keys[1] ?? [])].some((key) => keys[0]?.has(key))).toBe(false);
  });

  it('what was done is not done again where a retry drops an edit that failed', async () => {
    now.witness.seen.length = 0;
    now.witness.respond(({ path }) =>
      path === '/unsafe/edited' ? { status: 404 } : { body: { results: [{ ok: true }] } },
    );
    await save('dropped', call('u', 'unsafe', 'pay-20'));
    const run = await now.run('dropped', ['wit']);
    const edited = await retry(run, { from_step: 'u', inputs: { id: 'edited' } });
    expect(edited).toMatchObject({ status: 'failed' });
    expect(await retry(edited)).toMatchObject({ status: 'complete' });
    now.witness.respond(() => ({ body: { results: [{ ok: true }] } }));
    expect(now.sent('/unsafe/').map(({ path }) => path)).toEqual(['/unsafe/pay-20', '/unsafe/edited']);
  });

  it('a request without an outcome asks, whatever became of the gate whose answer it reads', async () => {
    now.witness.seen.length = 0;
    now.witness.respond(() => new Promise(() => undefined));
    const gate = '{name: g, step_type: approval, prompt: "?", timeout_minutes: 0.02, on_timeout: skip}';
    const pays = call('u', 'unsafe', 'silent', `, timeout_seconds: 1, condition: "{g.decision} != 'rejected'"`);
    await save('silent', gate, pays);
    const runId = await now.begin('silent', ['wit']);
    const attention = (id: string): Promise<RunRow> =>
      now.stack.until(id, ({ status }) => status === 'needs_attention', 'the question');
    await attention(runId);
    await now.stack.gateway.cancelRun(runId);
    const run = await now.stack.done(runId);
    now.witness.respond(() => ({ body: { results: [{ ok: true }] } }));
    const { answer } = await service.retry(CALLER, run.id, {}, undefined);
    await attention(answer.runId);
    await now.stack.gateway.cancelRun(answer.runId);
    await now.stack.done(answer.runId);
    expect(now.sent('/unsafe/silent')).toHaveLength(1);
  });

  it('asks what a retry that ended early had to ask, where it had not begun the sub-playbook that asks', async () => {
    now.witness.seen.length = 0;
    const { stack } = now;
    await save('early-low', '{name: g, step_type: approval, prompt: go}');
    await save('early-mid', child('n', 'early-low'));
    await save('early', child('s', 'early-mid'), call('e', 'post', 'early'));
    const approved = async (root: string): Promise<RunRow> => {
      const waiting = `select a.id, a.run_id from approvals a join runs r on r.id = a.run_id
        where r.root_run_id = $1 and a.status = 'waiting'`;
      let asked: { id: string; run_id: string }[] = [];
      await waitUntil('a request', async () => (asked = await stack.admin.query(waiting, [root])).length > 0);
      for (const { id, run_id: run } of asked) await stack.decide(run, id, 'approve');
      return stack.done(root);
    };
    const first = await approved(await now.begin('early', ['wit']));
    // The middle one stands still before it begins the one that asks.
    await stack.admin.query(`create function hold_mid() returns trigger language plpgsql as $$
      begin new.control := 'pause'; return new; end $$`);
    await stack.admin.query(`create trigger z_hold_mid before insert on runs for each row
      when (new.playbook_slug = 'early-mid') execute function hold_mid()`);
    const { answer } = await service.retry(CALLER, first.id, { from_step: 'e' }, undefined);
    const held = `select 1 from runs where parent_run_id = $1 and status = 'paused'`;
    await waitUntil('the middle one', async () => (await stack.admin.query(held, [answer.runId])).length > 0);
    await stack.runs.setControl(LOCAL_USER_ID, answer.runId, 'cancel');
    await stack.gateway.cancelRun(answer.runId);
    await stack.done(answer.runId);
    await stack.admin.query('drop trigger z_hold_mid on runs');
    for (const body of [{}, { from_step: 'e' }]) {
      const before = now.sent('/post/early').length;
      const { answer: again } = await service.retry(CALLER, answer.runId, body, undefined);
      expect(await approved(again.runId)).toMatchObject({ status: 'complete' });
      expect(now.sent('/post/early')).toHaveLength(before + 1);
    }
  });
});
