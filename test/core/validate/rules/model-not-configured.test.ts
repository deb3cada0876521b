import { describe, expect, it } from '@jest/globals';
import {
  playbookEntry,
  type ModelFacts,
  type ModelStep,
  type PlaybookEntry,
} from '../../../../core/validate/catalogue';
import { validatePlaybook } from '../../../../core/validate/validate-playbook';
import { CATALOGUE, playbook } from '../harness';

describe('where no model is configured', () => {
  it('steps that call a model where none is configured, once', () => {
    const schema = 'output_schema: {type: scalar, fields: [{name: v, type: string}]}';
    const step = (name: string, more = ''): string =>
      `  - {name: ${name}, step_type: llm_task, action: llm_analyze, inputs: {data: {a: 1}}, params: {instructions: x${more}}, ${schema}}\n`;
    const found = (text: string, models?: ModelFacts) =>
      validatePlaybook(text, models === undefined ? CATALOGUE : { ...CATALOGUE, models }).problems.filter(
        ({ code }) => code === 'model_not_configured',
      );
    const none = { fault: 'No model is configured.', providers: [] };
    const text = playbook(step('one') + step('two', ', model: openai/m'));
    expect(found(text, none)).toEqual([
      expect.objectContaining({
        severity: 'warning',
        step: 'one',
        message: '`one` and 1 more will fail: No model is configured.',
      }),
    ]);
    expect(found(text, { ...none, providers: ['openai'] })[0]?.message).toBe(
      '`one` will fail: No model is configured.',
    );
    expect(found(playbook(step('two', ', model: openai/m')), { ...none, providers: ['openai'] })).toEqual([]);
    expect(found(text, { providers: ['openai'] })).toEqual([]);
    expect(found(text)).toEqual([]);
    expect(found(playbook('  - {name: a, step_type: tool, action: query_journal}'), none)).toEqual([]);
    const routed = `  - {name: r, route: {on: {action: llm_analyze, inputs: {data: 1}, params: {instructions: x}}, routes: {a: [{name: q, step_type: approval}]}}}`;
    expect(found(playbook(routed), none)[0]?.message).toBe('`r_router` will fail: No model is configured.');
  });

  it('model steps of the playbooks that this one runs, at any depth, where no model is configured', () => {
    const entry = (calls: string[], model_steps: ModelStep[]): PlaybookEntry => ({ inputs: [], calls, model_steps });
    const entries: { [slug: string]: PlaybookEntry } = {
      outer: entry(['inner', 'outer'], []),
      inner: entry([], [{ name: 'read', provider: 'openai' }, { name: 'route_router' }]),
    };
    const found = (models: ModelFacts) => {
      const catalogue = { ...CATALOGUE, models, playbook: (slug: string) => entries[slug] };
      const twice = ['one', 'two'].map((name) => `  - {name: ${name}, action: run_playbook, playbook: outer}\n`);
      return validatePlaybook(playbook(twice.join('')), catalogue).problems.filter(
        ({ code }) => code === 'model_not_configured',
      );
    };
    expect(found({ fault: 'None.', providers: [] })).toEqual([
      expect.objectContaining({ step: 'one', message: '`read` of `inner` and 1 more will fail: None.' }),
    ]);
    expect(found({ fault: 'None.', providers: ['openai'] })[0]?.message).toBe(
      '`route_router` of `inner` will fail: None.',
    );
    expect(found({ providers: [] })).toEqual([]);
  });

  it('every kind of model step shows to those that run its playbook', () => {
    const schema = 'output_schema: {type: scalar, fields: [{name: v, type: string}]}';
    const step = (name: string, action: string, more = ''): string =>
      `  - {name: ${name}, step_type: llm_task, action: ${action}, inputs: {data: {a: 1}}, params: {instructions: x${more}}, ${schema}}\n`;
    const routed = `  - {name: r, route: {on: {action: llm_analyze, inputs: {data: 1}, params: {instructions: x}}, routes: {a: [{name: q, step_type: approval}]}}}`;
    const steps = [step('ask', 'llm_analyze'), step('write', 'synthesize_report'), step('dig', 'research_with_tools')];
    const { plan } = validatePlaybook(playbook(steps.join('') + routed), CATALOGUE);
    expect(plan && playbookEntry(plan).model_steps).toEqual(
      ['ask', 'write', 'dig', 'r_router'].map((name) => ({ name })),
    );
  });
});
