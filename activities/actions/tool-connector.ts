import type { Json } from '../../core/base/json';
import type { CallRecorder } from '../../connectors/runtime/records/call-recorder';
import { sourceRecordOf, codeOf, newCallStats, type SourceOutcome } from '../../connectors/runtime/records/call-stats';
import { toolRequest, namedAction, notCarriedOut, type ToolCall } from '../../connectors/kinds/tools/tool-call';
import { itemsOf, toolResult } from '../../connectors/kinds/tools/tool-result';
import { afterTransaction } from '../../infra/db/open-transaction';
import { recordCall, originOf } from './durable-call';
import type { Action, ActionContext, ActionOutcome, ActionTable } from './types';

/** Table of actions, and recorder of their calls. */
interface ToolDeps {
  tools: () => ActionTable;
  recorder: Pick<CallRecorder, 'add'>;
}

/**
 * Carries out the action that an endpoint of an existing tool names, as its step would: the same effect key, the
 * same gate before it, the same record of the effect. The action's commit is part of the step's result, as always.
 * Like any call of a source it leaves a record and the event `source.called`, also when it fails.
 */
export async function callTool(deps: ToolDeps, call: ToolCall, context: ActionContext): Promise<ActionOutcome> {
  const count = counterOf(deps.recorder, call, context);
  const outcome = await counted(count, () => carryOut(deps.tools(), call, context));
  if ('output' in outcome) {
    count.both({ answer: itemsOf(outcome.output) });
    return outcome;
  }
  // A commit happens with the step's result or not at all: it is counted in the transaction.
  return {
    commit: async (sql) => {
      const output = await counted(count, () => outcome.commit(sql));
      count.both({ answer: itemsOf(output) });
      return output;
    },
    // The record names the failure already; events of the commit were rolled back with it.
    takenBack: async (error) => {
      await outcome.takenBack?.(error);
      count.note({ error });
    },
  };
}

async function carryOut(actions: ActionTable, call: ToolCall, context: ActionContext): Promise<ActionOutcome> {
  const { contract, inputs, params } = namedAction(call);
  const action = actionOf(actions, contract);
  const outcome = await action({ action: contract.name, inputs, params }, context);
  const shape = (output: Json): Json => toolResult(call.endpoint, output);
  if ('output' in outcome) return { output: shape(outcome.output) };
  return { ...outcome, commit: async (sql) => shape(await outcome.commit(sql)) };
}

function actionOf(actions: ActionTable, { name, available }: { name: string; available: boolean }): Action {
  const action = available && Object.hasOwn(actions, name) ? actions[name] : undefined;
  if (action === undefined) throw notCarriedOut(name, 'unavailable');
  return action;
}

interface Count {
  /** The event `source.called`. */
  note(settled: SourceOutcome): void;
  /** Settles breaker and record. */
  both(settled: SourceOutcome): void;
}

function counterOf(recorder: ToolDeps['recorder'], call: ToolCall, context: ActionContext): Count {
  const request = toolRequest(call);
  const began = Date.now();
  const named = { connector: call.connector.id, endpoint: call.name, context };
  const note = (settled: SourceOutcome): void => {
    const failed = 'error' in settled;
    recordCall(
      named,
      { ...newCallStats(), requests: 1, failed: failed ? 1 : 0 },
      failed ? codeOf(settled.error) : 'ok',
    );
  };
  const both = (settled: SourceOutcome): void => {
    // A commit may be tried again, and may fail after the action has done its part.
    afterTransaction((error) => {
      const came = error === undefined ? settled : { error };
      recorder.add(sourceRecordOf(came, { request, by: originOf(context), began }));
    });
    note(settled);
  };
  return { note, both };
}

async function counted<T>(count: Count, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    count.both({ error });
    throw error;
  }
}
