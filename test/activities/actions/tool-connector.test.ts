import { describe, expect, it } from '@jest/globals';
import { createConnectorActions } from '../../../activities/actions/call-connector.actions';
import { createTransformActions } from '../../../activities/actions/transform.actions';
import { createToolCatalog } from '../../../activities/actions/llm-tool-catalog';
import type { ActionCall, ActionContext, ActionTable } from '../../../activities/actions/types';
import type { JsonObject } from '../../../core/base/json';
import { endpointEffect } from '../../../core/connector/find-endpoint';
import type { ToolConnector, ToolEndpoint } from '../../../core/connector/types';
import type { Sql } from '../../../infra/db/database';
import { connectorDeps, testContext } from '../../support/connector-deps';
import { stepDeps } from '../step-deps';

function connector(tool: string, endpoint: Partial<ToolEndpoint> = {}): ToolConnector {
  return {
    schema: 1,
    id: 'tools',
    name: 'Tools',
    type: 'existing_tool',
    connection: { tool },
    endpoints: { e: { passthrough: true, ...endpoint } },
  };
}

const context: ActionContext = {
  ...testContext(),
  runId: 'r',
  playbookId: 'p',
  stepPath: 's',
  stepName: 's',
  tryNo: 1,
  clock: { now: '2026-01-01T00:00:00Z', today: '2026-01-01', time_zone: 'UTC' },
  connectors: { tools: 'v1' },
  note: () => undefined,
};

/** Actions of these names that tell what they were called with. */
function actionsOf(seen: { call: ActionCall; context: ActionContext }[]): ActionTable {
  const tell = (call: ActionCall, given: ActionContext): Promise<{ output: JsonObject }> => {
    seen.push({ call, context: given });
    return Promise.resolve({ output: { rows: [{ a: 1, b: 2 }], called: call.action } });
  };
  return { query_journal: tell, create_document: tell, call_connector: tell };
}

function call(definition: ToolConnector, inputs: JsonObject, table: ActionTable): Promise<unknown> {
  const deps = connectorDeps();
  const versions = { version: () => Promise.resolve({ body: definition }) };
  const action = createConnectorActions({ ...stepDeps(deps, versions), tools: () => table })['call_connector'];
  return action!({ action: 'call_connector', inputs, params: { connector: 'tools', endpoint: 'e' } }, context);
}

describe('existing_tool', () => {
  it('carries out the action in the context of the step, inputs and params told apart', async () => {
    const definition = connector('transform_data');
    const inputs = {
      data: [{ n: 1 }, { n: 5 }],
      operations: [{ type: 'filter', field: 'n', operator: 'gt', value: 2 }],
    };
    expect(await call(definition, inputs, createTransformActions())).toMatchObject({
      output: { data: [{ n: 5 }], count: 1 },
    });
  });

  it('hands on the very context: effect key, attempt, pins', async () => {
    const seen: { call: ActionCall; context: ActionContext }[] = [];
    await call(connector('query_journal'), { limit: 5 }, actionsOf(seen));
    expect(seen).toHaveLength(1);
    expect(seen[0]?.context).toBe(context);
    expect(seen[0]?.call.action).toBe('query_journal');
  });

  it('declared parameters are checked, and their defaults are fixed settings', async () => {
    const seen: { call: ActionCall; context: ActionContext }[] = [];
    const parameters = [
      { name: 'limit', in: 'body' as const, type: 'integer' as const, required: true },
      { name: 'since', in: 'body' as const, type: 'string' as const, required: false, default: '2026-01-01' },
    ];
    const definition = connector('other', { tool: 'query_journal', parameters });
    await call(definition, { limit: '5' }, actionsOf(seen));
    expect({ ...seen[0]?.call.inputs, ...seen[0]?.call.params }).toEqual({ limit: 5, since: '2026-01-01' });
    await expect(call(definition, {}, actionsOf(seen))).rejects.toMatchObject({ code: 'invalid_input' });
    await expect(call(definition, { limit: 1, more: 1 }, actionsOf(seen))).rejects.toMatchObject({
      code: 'invalid_input',
    });
  });

  it('without passthrough it gives records like any connector', async () => {
    const mapping = { results_path: 'rows', fields: { x: 'b' }, entity_extraction: [] };
    const definition = connector('query_journal', { passthrough: false, response_mapping: mapping });
    expect(await call(definition, {}, actionsOf([]))).toEqual({ output: { results: [{ x: 2 }], count: 1 } });
    const nowhere = connector('query_journal', {
      passthrough: false,
      response_mapping: { ...mapping, results_path: 'no' },
    });
    await expect(call(nowhere, {}, actionsOf([]))).rejects.toMatchObject({ code: 'bad_response' });
  });

  it('what the action commits is committed with the result of the step', async () => {
    const sql = { query: () => Promise.resolve([]) } as unknown as Sql;
    const seen: unknown[] = [];
    const table: ActionTable = {
      query_journal: () => Promise.resolve({ commit: (given) => Promise.resolve([seen.push(given)]) }),
    };
    const outcome = (await call(connector('query_journal', { passthrough: false }), {}, table)) as {
      commit: (sql: Sql) => Promise<unknown>;
    };
    expect(seen).toEqual([]);
    expect(await outcome.commit(sql)).toEqual({ results: [1], count: 1 });
    expect(seen).toEqual([sql]);
  });

  it.each([
    ['no action', 'nothing_like_it', 'unknown_tool'],
    ['a name of the prototype', 'constructor', 'unknown_tool'],
    ['a call of a connector', 'call_connector', 'unknown_tool'],
    ['a model', 'llm_analyze', 'unknown_tool'],
    ['a shape', 'parallel', 'unknown_tool'],
    ['an action of later', 'search_web', 'not_available'],
    ['an action that this worker does not have', 'save_to_workspace', 'not_available'],
  ])('refuses %s', async (_name, tool, code) => {
    await expect(call(connector(tool), {}, actionsOf([]))).rejects.toMatchObject({ code });
  });

  it('has the effect of its action: for gates, and for what a model may be given', async () => {
    expect(endpointEffect(connector('query_journal'), 'e')).toBe('none');
    expect(endpointEffect(connector('query_journal', { tool: 'save_to_workspace' }), 'e')).toBe('transactional');
    expect(endpointEffect(connector('nothing_like_it'), 'e')).toBe('unsafe');
    const catalog = (definition: ToolConnector) =>
      createToolCatalog({ version: () => Promise.resolve({ body: definition }) })(['tools.e'], context);
    await expect(catalog(connector('save_to_workspace'))).rejects.toMatchObject({ code: 'invalid_tools' });
    await expect(catalog(connector('query_journal'))).resolves.toMatchObject([{ name: 'tools.e' }]);
  });
});
