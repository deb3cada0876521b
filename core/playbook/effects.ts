import { getContract } from '../actions/registry';
import type { EffectKind } from '../actions/types';
import { endpointName } from './endpoint-name';
import type { LlmStep, StepPlan, ToolStep } from './types';

export interface EffectLookup {
  /** Effect of a connector endpoint; undefined = not known. */
  endpointEffect?: (connector: string, endpoint: string) => EffectKind | undefined;
}

/**
 * Effect of a step itself; a structure has none, its inner steps count one by one. An unknown effect counts as
 * `unsafe`: a time-out must never pass a gate because a later step is unknown.
 */
export function effectOf(step: StepPlan, lookup: EffectLookup): EffectKind {
  switch (step.kind) {
    case 'tool':
      return toolEffect(step, lookup);
    case 'llm_task':
      return modelEffect(step, lookup);
    // Counts as unsafe: its version and connectors are known when it begins.
    case 'run_playbook':
      return 'unsafe';
    case 'route':
      return typeof step.on === 'string' ? 'none' : modelEffect(step.on, lookup);
    default:
      return 'none';
  }
}

function toolEffect(step: ToolStep, lookup: EffectLookup): EffectKind {
  const contract = getContract(step.action);
  if (contract?.dynamic !== 'connector_endpoint') return contract?.effect ?? 'unsafe';
  const { connector, endpoint } = step.params;
  if (typeof connector !== 'string' || typeof endpoint !== 'string') return 'unsafe';
  return lookup.endpointEffect?.(connector, endpoint) ?? 'unsafe';
}

/** A model with tools can do what its tools can. A tool is an action or `connector.endpoint`. */
function modelEffect(step: LlmStep, lookup: EffectLookup): EffectKind {
  const { tools } = step.params;
  if (tools === undefined) return 'none';
  const harmless =
    Array.isArray(tools) && tools.every((tool) => typeof tool === 'string' && nameEffect(tool, lookup) === 'none');
  return harmless ? 'none' : 'unsafe';
}

function nameEffect(tool: string, lookup: EffectLookup): EffectKind {
  const named = endpointName(tool);
  if (named) return lookup.endpointEffect?.(named.connector, named.endpoint) ?? 'unsafe';
  const contract = getContract(tool);
  return contract === undefined || contract.dynamic === 'connector_endpoint' ? 'unsafe' : contract.effect;
}
