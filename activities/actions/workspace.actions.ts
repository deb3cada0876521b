import { ownField, type JsonObject } from '../../core/base/json';
import type { WorkspacesStore } from '../../infra/db/stores/workspaces.store';
import { saveRows } from '../../infra/workspace/save-rows';
import { flagOption, invalid, namesOption, recordsInput, textOption } from '../../core/actions/option-reader';
import type { Action, ActionTable } from './types';

/** `save_to_workspace`: rows into a real table, in the transaction that records the step's result. */
export function createWorkspaceActions(deps: { workspaces: WorkspacesStore }): ActionTable {
  const save: Action = async (call, context) => {
    const table = textOption(call.params, 'table_name');
    if (table === undefined) {
      throw invalid('table_name', 'the name of a table');
    }
    const { records, warnings } = recordsInput(ownField(call.inputs, 'data'), 'data');
    const request = {
      ownerId: context.ownerId,
      workspace: textOption(call.params, 'workspace_id'),
      table,
      rows: records,
      createIfMissing: flagOption(call.params, 'create_if_missing', true),
      key: { fields: namesOption(call.params, 'upsert_key'), onConflict: 'update' as const },
      runId: context.runId,
      step: context.stepPath,
    };
    const told: JsonObject = warnings.length === 0 ? {} : { warnings };
    return { commit: async (sql) => ({ ...(await saveRows({ sql, store: deps.workspaces }, request)), ...told }) };
  };
  return { save_to_workspace: save };
}
