import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ActionTable } from '../../activities/actions/types';
import { AppError } from '../../core/errors/app-error';
import { Definitions, WIT } from './changed-fixture';

/** A second try of a sub-playbook goes on where the first one ended. */
let now: Definitions;
/** Number of failures of the action `wobble`, each of a kind that may pass. */
let failures = 0;
const wobbled: string[] = [];
const actions: ActionTable = {
  wobble: async (_call, { effectKey, stepPath }) => {
    wobbled.push(effectKey);
    if (failures > 0) {
      failures -= 1;
      throw new AppError('upstream_unavailable', `${stepPath} wobbles`, { category: 'upstream', retryable: true });
    }
    return { output: { ok: true } };
  },
};
const WOBBLE = '{name: f, step_type: tool, action: wobble, on_error: stop}';

beforeAll(async () => {
  now = await Definitions.start(actions);
  now.witness.respond(({ path }) => (path === '/fail/404' ? { status: 404 } : { body: { results: [{ ok: true }] } }));
  await now.connector(WIT);
});
afterAll(() => now?.close());

const call = (name: string, endpoint: string, inputs: string, more = ''): string =>
  `{name: ${name}, step_type: tool, action: call_connector, connector: wit, endpoint: ${endpoint}, inputs: {${inputs}}, on_error: stop${more}}`;

describe('a sub-playbook that is tried again', () => {
  it('findings/r4d-child-repeated.yaml: is not, where it would fail again', async () => {
    await now.playbook(`id: r4dc\nsteps:\n  - ${call('p', 'post', 'id: r4d')}\n  - ${call('f', 'fail', 'c: 404')}\n`);
    await now.playbook('id: r4d\nsteps: [{name: s, action: run_playbook, playbook: r4dc, retry_count: 2}]\n');
    const run = await now.run('r4d');
    expect(run).toMatchObject({ status: 'partial' });
    expect(now.sent('/post/r4d')).toHaveLength(1);
    expect(now.sent('/fail/404')).toHaveLength(1);
    expect(await now.children(run)).toHaveLength(1);
  });

  it('takes over what is done, decisions too, and repeats what may pass under its old key', async () => {
    failures = 2;
    await now.stack.save(
      `id: passing\nsteps:\n  - ${call('u', 'unsafe', 'id: passing')}\n  - {name: g, step_type: approval, prompt: "?"}\n  - ${call('p', 'post', 'id: passing')}\n  - ${WOBBLE}\n  - ${call('z', 'post', 'id: "passing-{p.count}"')}\n`,
    );
    await now.playbook('id: passes\nsteps: [{name: s, action: run_playbook, playbook: passing, retry_count: 2}]\n');
    const runId = await now.begin('passes');
    const first = await now.child(runId);
    await now.stack.decide(first.id, await now.stack.approval(first.id), 'approve', { instructions: 'once' });
    const run = await now.stack.done(runId);
    expect(run).toMatchObject({ status: 'complete' });
    const tries = (await now.children(run)).toSorted((a, b) => (a.created_at < b.created_at ? -1 : 1));
    expect(tries.map(({ status, retry_of, retry_from }) => [status, retry_of, retry_from])).toEqual([
      ['failed', null, null],
      ['failed', tries[0]?.id, 'f'],
      ['complete', tries[1]?.id, 'f'],
    ]);
    expect(now.sent('/unsafe/passing')).toHaveLength(1);
    expect(now.sent('/post/passing')).toEqual([
      { path: '/post/passing', key: `${first.id}/p` },
      { path: '/post/passing-1', key: `${first.id}/z` },
    ]);
    expect(wobbled).toEqual([`${first.id}/f`, `${first.id}/f`, `${first.id}/f`]);
  });

  it('with sub-playbooks of its own, in a list: those that are complete are taken over', async () => {
    failures = 1;
    const before = wobbled.length;
    await now.playbook(`id: deep\nsteps:\n  - ${call('p', 'post', 'id: deep')}\n`);
    await now.stack.save(`id: nested\nsteps:\n  - ${call('q', 'unsafe', 'id: nested')}\n  - ${WOBBLE}\n`);
    await now.playbook(
      `id: middle\nsteps:\n  - {name: d, action: run_playbook, playbook: deep, on_error: stop}\n  - {name: n, action: run_playbook, playbook: nested, on_error: stop}\n`,
    );
    await now.playbook(
      'id: listed\nsteps: [{name: e, for_each: {items: [1], as: i, steps: [{name: s, action: run_playbook, playbook: middle, on_error: retry}]}}]\n',
    );
    expect(await now.run('listed')).toMatchObject({ status: 'complete' });
    expect(now.sent('/post/deep')).toHaveLength(1);
    expect(now.sent('/unsafe/nested')).toHaveLength(1);
    expect(wobbled.slice(before)).toHaveLength(2);
    expect(new Set(wobbled.slice(before)).size).toBe(1);
  });

  it('not after a no, nor after silence', async () => {
    await now.playbook(
      'id: silent\nsteps: [{name: g, step_type: approval, timeout_minutes: 0.001, on_timeout: stop}]\n',
    );
    await now.playbook('id: asks\nsteps: [{name: s, action: run_playbook, playbook: silent, retry_count: 3}]\n');
    const run = await now.run('asks');
    expect(await now.children(run)).toMatchObject([{ status: 'timed_out' }]);
  });
});
