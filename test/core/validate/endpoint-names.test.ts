import { describe, expect, it } from '@jest/globals';
import { dryRun } from '../../../core/dry-run/dry-run';
import { effectOf } from '../../../core/playbook/effects';
import { collectConnectorSlugs } from '../../../core/validate/catalogue';
import { endpointEffects } from '../../../core/validate/endpoint-effects';
import { validatePlaybook } from '../../../core/validate/validate-playbook';
import { traitsOf } from '../../../infra/temporal/run-input';
import { planOf } from '../playbook/support';
import { CATALOGUE, COMPANY, expectProblems, playbook } from './harness';

const NAMED = playbook('  - {name: a, step_type: tool, action: irs.filings, inputs: {ein: x}}');
const WRITTEN = playbook(
  '  - {name: a, step_type: tool, action: call_connector, connector: irs, endpoint: filings, inputs: {ein: x}}',
);

describe('an action that names an endpoint', () => {
  it('compiles to the very plan of the written call', () => {
    expect(planOf(NAMED)).toEqual(planOf(WRITTEN));
    expect(validatePlaybook(NAMED, CATALOGUE)).toMatchObject({ valid: true, plan: planOf(WRITTEN), problems: [] });
    expect(traitsOf(planOf(NAMED))).toEqual(traitsOf(planOf(WRITTEN)));
    expect(collectConnectorSlugs(planOf(NAMED))).toEqual(['irs']);
  });

  it('has the effect of its endpoint, so that a gate before it is not passed by silence', () => {
    const gate = (action: string): unknown => {
      const text = playbook(
        `  - {name: ok, step_type: approval, prompt: "?", timeout_minutes: 5}\n  - {name: a, step_type: tool, action: ${action}}`,
      );
      const { plan } = validatePlaybook(text, CATALOGUE);
      const [ok, step] = plan?.steps ?? [];
      return [ok?.kind === 'approval' && ok.on_timeout, step && effectOf(step, endpointEffects(CATALOGUE))];
    };
    expect(gate('irs.submit')).toEqual(['stop', 'unsafe']);
    expect(gate('irs.filings, inputs: {ein: x}')).toEqual(['skip', 'none']);
  });

  it('is shown by a dry run like the written call', async () => {
    const request = {
      inputs: {},
      clock: { now: '2026-11-28T10:00:00Z', today: '2026-11-28', time_zone: 'UTC' },
      samples: {},
      decisions: {},
    };
    const [named, written] = await Promise.all(
      [NAMED, WRITTEN].map((text) =>
        dryRun(planOf(text), { catalogue: CATALOGUE, traits: traitsOf(planOf(text)) }, request),
      ),
    );
    expect(named).toEqual(written);
  });

  it.each([
    ['isr.filings', 'unknown_connector', 'isr.filings', 'Did you mean `irs`?'],
    ['nothing.like.it', 'unknown_connector', 'nothing.like.it', 'Save that connector first.'],
    ['irs.filing', 'unknown_endpoint', 'filing', 'Did you mean `filings`?'],
    ['irs.constructor', 'unknown_endpoint', 'constructor', 'Known endpoints: filings, submit.'],
    ['irs.', 'unknown_action', 'irs.', 'See GET /actions for what there is.'],
    ['.filings', 'unknown_action', '.filings', 'See GET /actions for what there is.'],
  ])('%s', (action, code, at, suggestion) =>
    expectProblems(playbook(`  - {name: a, step_type: tool, action: ${action}}`), [
      { code, at, suggestion, step: 'a', field: 'action' },
    ]),
  );

  it("takes the endpoint's inputs and gives its outputs", () => {
    expectProblems(playbook('  - {name: a, step_type: tool, action: irs.filings, inputs: {eni: x}}'), [
      { code: 'missing_required', at: '{eni' },
      { code: 'unknown_input', at: 'eni', suggestion: 'Did you mean `ein`?' },
    ]);
    expectProblems(
      playbook(
        '  - {name: a, step_type: tool, action: irs.filings, inputs: {ein: x}}\n  - {name: b, step_type: approval, prompt: "{a.results[0].revenu}"}',
      ),
      [
        {
          code: 'unresolved_reference',
          at: 'a.results[0].revenu}',
          suggestion: 'Did you mean `revenue`? Known fields: ein, revenue, officers.',
        },
      ],
    );
  });

  it.each([
    ['connector: irs', 'connector', 'connector'],
    ['endpoint: filings', 'endpoint', 'endpoint'],
    ['params: {connector: irs}', 'connector', 'params.connector'],
  ])('says once what it calls: %s beside it is refused', (more, at, field) =>
    expectProblems(playbook(`  - {name: a, step_type: tool, action: irs.filings, ${more}, inputs: {ein: x}}`), [
      { code: 'duplicate_key', at, field, suggestion: `Remove \`${at}\`, or write action: call_connector.` },
    ]),
  );

  it('has no parameters of other actions', () => {
    expectProblems(playbook('  - {name: a, step_type: tool, action: irs.filings, operations: [], inputs: {ein: x}}'), [
      { code: 'field_not_allowed', at: 'operations' },
    ]);
  });

  it('is no action of a model', () => {
    expectProblems(
      playbook(
        '  - {name: a, step_type: llm_task, action: irs.filings, output_schema: {fields: [{name: x}]}}',
        COMPANY,
      ),
      [{ code: 'wrong_step_type', at: 'llm_task', suggestion: 'Write step_type: tool.' }],
    );
  });

  it('may undo a step', () => {
    const step = (undo: string): string =>
      playbook(`  - {name: a, step_type: tool, action: irs.submit, undo: {action: ${undo}}}`);
    expect(collectConnectorSlugs(planOf(step('other.retract')))).toEqual(['irs', 'other']);
    expectProblems(step('irs.sumbit'), [
      { code: 'not_yet_active', at: 'undo: {action', severity: 'warning' },
      { code: 'unknown_endpoint', at: 'sumbit', field: 'undo.action', suggestion: 'Did you mean `submit`?' },
    ]);
  });
});
