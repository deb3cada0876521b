import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { isTerminal, LOCAL_USER_ID } from '../../core/base/run-status';
import { DESTINATIONS } from '../../core/actions/destinations';
import { listContracts } from '../../core/actions/registry';
import { OUTPUT_FIELDS } from '../../core/playbook/parse-output';
import { APPROVER_KINDS } from '../../core/playbook/parse-gate-rules';
import { PLAYBOOK_FIELDS } from '../../core/playbook/parse-playbook';
import { STEP_FIELDS } from '../../core/playbook/step-fields';
import type { RunRow } from '../../infra/db/stores/run-types';
import { startApiOf, type TestApi } from '../api/api-fixture';
import { Definitions, WIT } from './changed-fixture';
import { REFERENCES, type Reference, type World } from './references';

/** Definitions that change after a playbook was saved are checked again when it runs. */
let now: Definitions;
let api: TestApi;
beforeAll(async () => {
  now = await Definitions.start();
  api = await startApiOf(now.stack, { AF_EGRESS_ALLOW: now.witness.address });
  now.witness.respond(() => ({ body: { results: [{ ok: true }] } }));
  await now.connector(WIT);
});
afterAll(async () => {
  await api?.close();
  await now?.close();
});

/** Gate that nobody answers. */
const SILENT = 'step_type: approval, prompt: "?", timeout_minutes: 0.001';
const POST = (id: string): string =>
  `{name: p, step_type: tool, action: call_connector, connector: wit, endpoint: post, inputs: {id: ${id}}}`;

describe('nothing is approved by silence', () => {
  it('findings/d4-silence-connector.yaml: the effect of an endpoint is that of the version that the run pins', async () => {
    const endpoint = (what: string): string =>
      `id: w1\ntype: rest_api\nconnection: {base_url: "{witness}"}\nendpoints:\n  q: {${what}, path: /d4, response_mapping: {results_path: results, fields: {ok: ok}}}\n`;
    await now.connector(endpoint('method: GET, effect: none'));
    await now.playbook(
      `id: d4\nsteps:\n  - {name: g, ${SILENT}}\n  - {name: p, step_type: tool, action: call_connector, connector: w1, endpoint: q}\n`,
    );
    expect(await now.run('d4', ['w1'])).toMatchObject({ status: 'complete' });
    expect(now.sent('/d4')).toHaveLength(1);
    await now.connector(endpoint('method: POST, effect: unsafe'));
    const run = await now.run('d4', ['w1']);
    expect(run).toMatchObject({ status: 'timed_out', status_code: 'approval_timed_out' });
    expect(now.sent('/d4')).toHaveLength(1);
    const [gate] = (await now.stack.approvals.list(run.owner_id, { runId: run.id })).items;
    expect(gate).toMatchObject({ on_timeout: 'stop', status: 'timed_out' });
  });

  it('findings/d10-silence-child.yaml: a gate in a sub-playbook stands before what its callers do', async () => {
    await now.playbook(`id: d10c\nsteps: [{name: g, ${SILENT}}]\n`);
    const problems = await now.playbook(
      `id: d10\nsteps:\n  - {name: s, action: run_playbook, playbook: d10c}\n  - ${POST('d10')}\n`,
    );
    expect(problems).toMatchObject([{ severity: 'warning', code: 'gate_in_sub_playbook' }]);
    const run = await now.run('d10', ['wit']);
    expect(run).toMatchObject({ status: 'timed_out', status_code: 'approval_timed_out' });
    expect(now.sent('/post/d10')).toEqual([]);
    // Run alone: nothing follows its gate.
    expect(await now.run('d10c')).toMatchObject({ status: 'complete' });
  });

  it('through two levels, out of lists, loops, branches and routes, and only where something is behind', async () => {
    await now.playbook(`id: inner-gate\nsteps: [{name: g, ${SILENT}}]\n`);
    await now.playbook('id: middle\nsteps: [{name: m, action: run_playbook, playbook: inner-gate}]\n');
    const call = '{name: s, action: run_playbook, playbook: middle}';
    const around: [string, string][] = [
      ['plain', call],
      ['list', `{name: e, for_each: {items: [1], as: i, steps: [${call}]}}`],
      ['branch', `{name: b, action: parallel, parallel_steps: [${call}]}`],
      ['route', `{name: r, route: {on: a, routes: {a: [${call}]}}}`],
    ];
    for (const [name, step] of around) {
      await now.playbook(`id: behind-${name}\nsteps:\n  - ${step}\n  - ${POST(name)}\n`);
      await now.playbook(`id: before-${name}\nsteps:\n  - ${POST(`before-${name}`)}\n  - ${step}\n`);
    }
    const runs = await Promise.all(
      around.map(async ([name]) => [
        await now.run(`behind-${name}`, ['wit']),
        await now.run(`before-${name}`, ['wit']),
      ]),
    );
    expect(runs.map((pair) => pair.map(({ status }) => status))).toEqual(around.map(() => ['timed_out', 'complete']));
    expect(around.flatMap(([name]) => now.sent(`/post/${name}`))).toEqual([]);
  });

  it('what comes again in a loop is behind, and an author who wants to go on says so', async () => {
    await now.playbook(`id: once\nsteps:\n  - ${POST('loop')}\n  - {name: g, ${SILENT}}\n`);
    await now.playbook(
      'id: again\nsteps:\n  - {name: l, loop: {until: "1 > 2", max_iterations: 3, steps: [{name: s, action: run_playbook, playbook: once}]}}\n',
    );
    expect(await now.run('again', ['wit'])).toMatchObject({ status: 'timed_out' });
    expect(now.sent('/post/loop')).toHaveLength(1);
    await now.playbook(
      `id: wanted\nsteps:\n  - {name: s, action: run_playbook, playbook: inner-gate, on_error: skip}\n  - ${POST('wanted')}\n`,
    );
    expect(await now.run('wanted', ['wit'])).toMatchObject({ status: 'partial' });
    expect(now.sent('/post/wanted')).toHaveLength(1);
  });
});

describe('a deterministic run', () => {
  const MODEL =
    '{name: m, step_type: llm_task, action: llm_analyze, inputs: {x: 1}, params: {instructions: hi}, output_schema: {type: object, fields: [{name: t, type: string}]}}';

  it('findings/d3-deterministic-child.yaml: does not start a sub-playbook that has become another', async () => {
    await now.playbook(
      'id: det-child\nexecution_mode: deterministic\nsteps: [{name: j, step_type: tool, action: query_journal, inputs: {query: x}}]\n',
    );
    await now.playbook(
      'id: det-parent\nexecution_mode: deterministic\nsteps: [{name: s, action: run_playbook, playbook: det-child, on_error: stop}]\n',
    );
    expect(await now.run('det-parent')).toMatchObject({ status: 'complete' });
    await now.playbook(`id: det-child\nsteps: [${MODEL}]\n`);
    const run = await now.run('det-parent');
    expect(run).toMatchObject({ status: 'failed', status_code: 'model_not_allowed' });
    expect(await now.children(run)).toEqual([]);
  });

  it('refuses every way to a model that its plan may have', async () => {
    const research = MODEL.replace('llm_analyze', 'research_with_tools').replace('name: m', 'name: r');
    const route =
      '{name: w, route: {on: {action: llm_analyze, inputs: {x: 1}, params: {instructions: hi}}, routes: {a: [{name: n, step_type: approval}]}}}';
    // Saved by an earlier version, which did not look.
    const slug = await now.stack.save(
      `id: det-models\nexecution_mode: deterministic\nsteps:\n  - ${MODEL}\n  - ${research}\n  - ${route}\n`,
    );
    const run = await now.stack.done(await now.stack.start(slug));
    const failed = (await now.stack.events(run.id)).filter(({ type }) => type === 'step.finished');
    // Calls that belong to a step end with their own code, before it.
    expect(failed.map(({ step_path, payload }) => [step_path, payload['error']])).toEqual(
      ['m', 'r/~model1', 'r', 'w/~router', 'w'].map((path) => [
        path,
        expect.objectContaining({ code: 'model_not_allowed' }),
      ]),
    );
  });
});

describe('a failure before what has become an effect', () => {
  it('ends the run, where its author does not say otherwise', async () => {
    const endpoint = (what: string): string =>
      `id: w2\ntype: rest_api\nconnection: {base_url: "{witness}"}\nendpoints:\n  q: {${what}, path: "/w2/{id}", parameters: [{name: id, type: string, in: path, required: true}], response_mapping: {results_path: results, fields: {ok: ok}}}\n`;
    const steps = (id: string, more: string): string =>
      `id: ${id}\nsteps:\n  - {name: f, step_type: tool, action: call_connector, connector: wit, endpoint: fail, inputs: {c: 404}${more}}\n  - {name: q, step_type: tool, action: call_connector, connector: w2, endpoint: q, inputs: {id: "${id}-{f.count}"}}\n`;
    now.witness.respond(({ path }) => (path === '/fail/404' ? { status: 404 } : { body: { results: [{ ok: true }] } }));
    await now.connector(endpoint('method: GET, effect: none'));
    await now.playbook(steps('fails', ''));
    await now.playbook(steps('goes-on', ', on_error: skip'));
    expect(await now.run('fails', ['wit', 'w2'])).toMatchObject({ status: 'partial' });
    await now.connector(endpoint('method: POST, effect: unsafe'));
    expect(await now.run('fails', ['wit', 'w2'])).toMatchObject({
      status: 'failed',
      status_code: 'upstream_not_found',
    });
    expect(await now.run('goes-on', ['wit', 'w2'])).toMatchObject({ status: 'partial' });
    expect(now.witness.seen.filter(({ path }) => path.startsWith('/w2/')).map(({ method }) => method)).toEqual([
      'GET',
      'POST',
    ]);
  });
});

describe('what travels with a run', () => {
  const W3 = (path: string): string =>
    `id: w3\ntype: rest_api\nconnection: {base_url: "{witness}"}\nendpoints:\n  q: {method: POST, effect: unsafe, path: "/${path}/{id}", parameters: [{name: id, type: string, in: path, required: true}], response_mapping: {results_path: results, fields: {ok: ok}}}\n`;
  const child = (head: string, id: string): string =>
    `id: travels-child\n${head}steps:\n  - {name: g, step_type: approval, prompt: "child ${id}"}\n  - {name: q, step_type: tool, action: call_connector, connector: w3, endpoint: q, inputs: {id: child-${id}}, on_error: stop}\n`;
  const parent = (head: string, id: string): string =>
    `id: travels\n${head}steps:\n  - {name: g, step_type: approval, prompt: "parent ${id}"}\n  - {name: q, step_type: tool, action: call_connector, connector: w3, endpoint: q, inputs: {id: ${id}}, on_error: stop}\n  - {name: s, action: run_playbook, playbook: travels-child, on_error: stop}\n`;
  const OTHER = 'run_context: scheduled\napproval_policy: auto_approve\n';

  it('between its start and a decision: templates, connectors, policy and context are those of the start; a sub-playbook is that of its own', async () => {
    now.witness.respond(() => ({ body: { results: [{ ok: true }] } }));
    await now.connector(W3('first'));
    await now.playbook(child('', 'old'));
    await now.playbook(parent('', 'old'));
    const runId = await now.begin('travels', ['w3']);
    const gate = await now.stack.approval(runId);
    await now.connector(W3('second'));
    await now.playbook(child(OTHER, 'new'));
    await now.playbook(parent(OTHER, 'new'));
    await now.stack.decide(runId, gate, 'approve');
    const below = await now.child(runId);
    // Policy of the sub-playbook would have approved; the caller's policy counts.
    await now.stack.decide(below.id, await now.stack.approval(below.id), 'approve');
    const run = await now.stack.done(runId);
    expect(run).toMatchObject({ status: 'complete', run_context: 'interactive', approval_policy: 'require' });
    expect(await now.stack.runs.require(run.owner_id, below.id)).toMatchObject({
      run_context: 'interactive',
      approval_policy: 'require',
    });
    expect([...now.sent('/first/'), ...now.sent('/second/')].map(({ path }) => path)).toEqual([
      '/first/old',
      '/second/child-new',
    ]);
  });

  it('an effect that left in a sub-playbook is known when its caller is cancelled', async () => {
    await now.playbook(
      'id: leaves\nsteps:\n  - {name: p, step_type: tool, action: call_connector, connector: wit, endpoint: unsafe, inputs: {id: leaves}, on_error: stop}\n',
    );
    await now.playbook('id: left\nsteps: [{name: s, action: run_playbook, playbook: leaves, on_error: stop}]\n');
    const held = now.witness.hold(({ path }) => path === '/unsafe/leaves');
    const runId = await now.begin('left', ['wit']);
    const below = await now.child(runId);
    const { release } = await held;
    await now.stack.gateway.cancelRun(runId);
    expect(await now.stack.done(runId)).toMatchObject({ status: 'cancelled' });
    expect(await now.stack.done(below.id)).toMatchObject({ status: 'cancelled' });
    release({ body: { results: [{ ok: true }] } });
    expect(now.sent('/unsafe/leaves')).toHaveLength(1);
    const tries = await now.stack.admin.query('select effect, effect_sent_count from step_attempts where run_id = $1', [
      below.id,
    ]);
    expect(tries).toEqual([{ effect: 'unsafe', effect_sent_count: 1 }]);
  });
});

/** Fields that say something of the playbook itself, or of the shape of its work: nothing outside is named. */
const OWN = new Set(
  [
    'id name description category tags execution_mode run_context monitor_config approval_policy triggers steps output',
    'step_type output_key condition depends_on on_error retry_count retry_delay_seconds retry_on end fail optional prompt preview_from preview_limit timeout_minutes',
    'on_reject on_timeout quorum four_eyes link_only remind_after_minutes escalate_after_minutes output_schema timeout_seconds',
    'parallel_steps for_each loop route operations format title sections auto_enrich_graph summary summary_prompt',
    'max_wait_seconds record_bodies match_strategy match_threshold field_a field_b create_if_missing upsert_key limit',
    'instructions system_prompt temperature max_tokens max_rounds filename_template filename section deduplication_key',
    'schema_mapping',
  ].flatMap((line) => line.split(' ')),
);

interface Written {
  routing_report?: { code?: string }[];
}

describe('what a playbook names that lies outside it', () => {
  it('every field of the language is one of the playbook itself, or has its row', () => {
    const contracts = listContracts().filter(({ available }) => available);
    const known = [
      ...PLAYBOOK_FIELDS,
      ...STEP_FIELDS,
      ...OUTPUT_FIELDS,
      ...APPROVER_KINDS,
      ...contracts.flatMap(({ params }) => params.map(({ name }) => name)),
      ...Object.values(DESTINATIONS).flatMap(({ config }) => config.map(({ name }) => name)),
    ];
    const named = new Set(REFERENCES.flatMap(({ fields }) => fields));
    expect([...new Set(known)].filter((field) => OWN.has(field) === named.has(field))).toEqual([]);
    expect([...OWN, ...named].filter((field) => !known.includes(field))).toEqual([]);
  });

  it.each(REFERENCES.map((row, at) => ({ ...row, id: `ref-${at}` })))('$kind', async (row) => {
    const world: World = { now, api, id: row.id, made: '' };
    world.made = (await row.prepare?.(world)) ?? '';
    const { status, code, ends, written, unknown } = row;
    const named = unknown?.map((name) => name.replace('{id}', row.id));
    expect(await outcomeOf(world, row)).toMatchObject(
      JSON.parse(JSON.stringify(row.refused ?? { status, code, ends, written, unknown: named })) as object,
    );
    if (row.sent !== undefined)
      expect(now.witness.seen.map(({ path }) => path).filter((path) => path.includes(row.id))).toEqual(
        row.sent.map((path) => path.replace('{id}', row.id)),
      );
  });

  async function outcomeOf(world: World, row: Reference): Promise<object> {
    const source = textOf(world, row);
    if (row.unchecked === true) await now.stack.save(source);
    else expect(await api.call('POST', '/playbooks', { source })).toMatchObject({ status: 201 });
    if (row.when === 'start') await row.change(world);
    const profile = await row.profile?.(world);
    const begun = await api.call('POST', '/runs', {
      playbook: world.id,
      ...(profile === undefined ? {} : { profile_id: profile }),
    });
    if (begun.status !== 201) return { status: begun.status, code: begun.body.code };
    const runId = String(begun.body['runId']);
    if (row.when === 'gate') {
      const gate = await now.stack.approval(runId);
      await row.change(world);
      await now.stack.decide(runId, gate, 'approve');
    }
    const atRest = ({ status }: RunRow): boolean => isTerminal(status) || status === 'needs_attention';
    const { status, status_code: code, result } = await now.stack.until(runId, atRest);
    const last = (await now.stack.events(runId)).findLast(
      ({ type, step_path: path }) => type === 'step.finished' && path === 's',
    );
    const error = last?.payload['error'] as { code: string } | undefined;
    const [request] = (await now.stack.approvals.list(LOCAL_USER_ID, { runId })).items.filter(
      ({ step_path: path }) => path === 's',
    );
    return {
      status,
      code,
      ends: error?.code ?? last?.payload['status'],
      written: (result?.['s']?.value as Written | undefined)?.routing_report?.[0]?.code,
      unknown: request?.unknown_approvers,
    };
  }

  function textOf({ id, made }: World, { playbook, when }: Reference): string {
    const gate = when === 'gate' ? '{name: gate, step_type: approval, prompt: go}, ' : '';
    const text = playbook.replaceAll('{id}', id).replaceAll('{made}', made).replace('steps: [', `steps: [${gate}`);
    return `id: ${id}\nname: ${id}\n${text}\n`;
  }
});
