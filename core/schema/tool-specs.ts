import type { ActionContract, FieldSpec } from '../actions/types';
import type { Problem } from '../errors/problem';
import { fieldsSchema } from './field-schema';
import type { JsonSchema } from './json-schema';

/** A tool as a model sees it. Plain JSON: it travels as an input of `research_model_call`. */
export interface ToolSpec {
  /** Name of the action, or `connector.endpoint`. */
  name: string;
  description: string;
  /** JSON Schema of the arguments: inputs and params of the action side by side. */
  parameters: JsonSchema;
  /** Arguments that are params of the action; all others are inputs. */
  params: string[];
}

export type ToolRefusal = Problem & { suggestion: string };

/** Facts about a connector endpoint that may be offered under `connector.endpoint`. */
export interface EndpointTool {
  description: string;
  inputs: FieldSpec[];
  /** The endpoint's own `effect`. */
  effect: string;
}

/**
 * The tools of a research step, in the order of `names`. A name that is unknown, not executable, no
 * tool, or has an effect is left out and reported: a model never triggers an effect by itself.
 */
export function toolSpecs(
  names: readonly string[],
  contracts: readonly ActionContract[],
  endpoints: ReadonlyMap<string, EndpointTool> = new Map(),
): { specs: ToolSpec[]; problems: Problem[] } {
  const byName = new Map(contracts.map((contract) => [contract.name, contract]));
  const specs: ToolSpec[] = [];
  const problems: Problem[] = [];
  for (const name of new Set(names)) {
    const endpoint = endpoints.get(name);
    const contract = byName.get(name);
    const refusal = endpoint ? effectRefusal(name, endpoint.effect) : actionRefusal(name, contract, byName);
    if (refusal !== undefined) {
      problems.push(refusal);
    } else if (endpoint) {
      specs.push(endpointSpec(name, endpoint));
    } else if (contract) {
      specs.push(actionSpec(contract));
    }
  }
  return { specs, problems };
}

function endpointSpec(name: string, endpoint: EndpointTool): ToolSpec {
  return { name, description: endpoint.description, parameters: fieldsSchema(endpoint.inputs), params: [] };
}

function actionSpec(contract: ActionContract): ToolSpec {
  const inputs = new Set(contract.inputs.map((field) => field.name));
  const params = contract.params.filter((field) => !inputs.has(field.name));
  return {
    name: contract.name,
    description: contract.description,
    parameters: fieldsSchema([...contract.inputs, ...params]),
    params: params.map((field) => field.name),
  };
}

function actionRefusal(
  name: string,
  contract: ActionContract | undefined,
  byName: ReadonlyMap<string, ActionContract>,
): ToolRefusal | undefined {
  if (contract === undefined || contract.step_type !== 'tool') {
    const known = [...byName.values()].filter((entry) => entry.step_type === 'tool' && entry.effect === 'none');
    return toolProblem(
      'unknown_tool',
      `The tool "${name}" is not a tool action.`,
      `Use one of: ${known.map((entry) => entry.name).join(', ')}.`,
    );
  }
  if (!contract.available) {
    return toolProblem('not_available', `The tool "${name}" is not executable yet.`, 'Remove it from params.tools.');
  }
  if (contract.dynamic === 'connector_endpoint') {
    return toolProblem(
      'tool_needs_endpoint',
      `The tool "${name}" does not say which endpoint a model may call.`,
      'Name endpoints as connector.endpoint.',
    );
  }
  return effectRefusal(name, contract.effect);
}

/**
 * Reason why a tool with this effect is not offered to a model; undefined: it is. Validation and the step use the same
 * rule.
 */
export function effectRefusal(name: string, effect: string): ToolRefusal | undefined {
  if (effect === 'none') return undefined;
  return toolProblem(
    'tool_has_effect',
    `The tool "${name}" changes something outside; a model may only be given tools that read.`,
    'Let the model propose, and put the change into a tool step behind an approval.',
  );
}

function toolProblem(code: string, message: string, suggestion: string): ToolRefusal {
  return { severity: 'error', code, message, field: 'params.tools', suggestion };
}
