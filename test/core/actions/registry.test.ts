import { describe, expect, it } from '@jest/globals';
import { getContract, listContracts, suggestAction } from '../../../core/actions/registry';
import { PASSES_INPUTS_ON } from '../../../core/actions/render-inputs';
import { FILTER_OPERATORS, METRIC_NAMES, TRANSFORM_OPERATIONS } from '../../../core/actions/transform';
import { transformData } from '../../../core/transform/transform';
import { METRICS } from '../../../core/transform/metrics';
import { OPERATIONS } from '../../../core/transform/operations';
import { pureActions } from '../../../core/transform/pure-actions';

const ALL = [
  'call_connector',
  'search_knowledge_graph',
  'search_documents',
  'search_web',
  'crawl_url',
  'extract_entities',
  'resolve_entities',
  'cross_reference',
  'analyze_graph',
  'transform_data',
  'save_to_workspace',
  'route_output',
  'detect_new_files',
  'detect_folder_changes',
  'detect_new_data',
  'detect_new_team_posts',
  'detect_new_entities',
  'set_monitor_watermark',
  'get_monitor_watermark',
  'write_journal_entry',
  'query_journal',
  'search_team_files',
  'read_team_file',
  'search_team_posts',
  'write_team_post',
  'summarize_team_thread',
  'send_notification',
  'send_channel_message',
  'broadcast_to_team',
  'create_todo',
  'list_todos',
  'update_todo',
  'complete_todo',
  'search_todos',
  'read_file',
  'find_file_by_name',
  'find_file_by_vectors',
  'patch_file',
  'delete_file',
  'move_file',
  'copy_file',
  'llm_analyze',
  'synthesize_report',
  'research_with_tools',
  'end_run',
  'parallel',
  'run_playbook',
];

describe('the registry of actions', () => {
  it('has a contract for every action of the language', () => {
    expect(listContracts().map((contract) => contract.name)).toEqual(ALL);
  });

  it('names each once and finds it', () => {
    for (const contract of listContracts()) expect(getContract(contract.name)).toBe(contract);
    expect(getContract('constructor')).toBeUndefined();
    expect(getContract('__proto__')).toBeUndefined();
  });

  it('no name is of an input and of a param', () => {
    for (const { name, inputs, params } of listContracts()) {
      const taken = new Set(inputs.map((field) => field.name));
      expect([name, params.filter((field) => taken.has(field.name))]).toEqual([name, []]);
    }
  });

  it('says what can be executed now', () => {
    expect(
      listContracts()
        .filter((contract) => contract.available)
        .map((contract) => contract.name),
    ).toEqual([
      'call_connector',
      'cross_reference',
      'transform_data',
      'save_to_workspace',
      'route_output',
      'write_journal_entry',
      'query_journal',
      'llm_analyze',
      'synthesize_report',
      'research_with_tools',
      'end_run',
      'parallel',
      'run_playbook',
    ]);
  });

  it('a pure action has no effect and is implemented as one', () => {
    const pure = listContracts().filter((contract) => contract.pure);
    expect(pure.map((contract) => contract.name).sort()).toEqual(Object.keys(pureActions).sort());
    for (const contract of pure) expect(contract).toMatchObject({ effect: 'none', short: true });
  });

  it('those whose inputs are handed on are named without the registry', () => {
    const dynamic = listContracts().filter((contract) => contract.dynamic === 'connector_endpoint');
    expect([...PASSES_INPUTS_ON].sort()).toEqual([...dynamic.map((contract) => contract.name), 'run_playbook'].sort());
  });

  it('a model task is never short', () => {
    for (const contract of listContracts()) if (contract.step_type !== 'tool') expect(contract.short).toBe(false);
  });

  it.each(ALL)('%s: every field has a name, a type, and inputs and params are described', (name) => {
    const contract = getContract(name);
    const slots = [...(contract?.inputs ?? []), ...(contract?.params ?? [])];
    for (const field of [...slots, ...(contract?.outputs ?? [])]) {
      expect(field.name).toMatch(/^[A-Za-z][A-Za-z_]*$/);
      expect(field.type).toMatch(/^[a-z_]+(\[\])?$/);
    }
    for (const field of slots) expect(field.description).toMatch(/\.$/);
    const names = slots.map((field) => field.name);
    expect(new Set(names).size).toBe(names.length);
    for (const field of slots)
      if (field.default !== undefined && field.enum) expect(field.enum).toContain(field.default);
  });

  it('suggests a near name', () => {
    expect(suggestAction('transform_dta')).toBe('transform_data');
    expect(suggestAction('zzz')).toBeUndefined();
  });
});

describe('operations of transform_data', () => {
  it('are exactly those that are implemented', () => {
    expect(Object.keys(TRANSFORM_OPERATIONS).sort()).toEqual([...OPERATIONS.keys()].sort());
    expect([...METRIC_NAMES].sort()).toEqual([...METRICS.keys()].sort());
  });

  it.each(FILTER_OPERATORS)('the filter operator %s is implemented', (operator) => {
    expect(
      transformData(
        [{ a: 1 }],
        [{ type: 'filter', field: 'a', operator, value: operator.endsWith('in') ? [1] : 1 }],
        {},
      ),
    ).toMatchObject({ ok: true });
  });

  it('an operator that is not declared is refused', () => {
    expect(
      transformData([{ a: 1 }], [{ type: 'filter', field: 'a', operator: 'matches', value: 1 }], {}),
    ).toMatchObject({ ok: false });
  });
});
