import { getContract } from '../actions/registry';
import type { FieldSpec } from '../actions/types';
import type { InputDeclaration, StepPlan } from '../playbook/types';
import type { Catalogue } from './catalogue';
import { shapeOf } from './shape';

export interface InputSpecs {
  specs: FieldSpec[];
  /** Inputs of other names are accepted too. */
  open: boolean;
  /** Name of the action, connector or playbook that expects them, for messages. */
  owner: string;
}

/** Inputs that a step expects; undefined = not known (an unknown action, connector or playbook). */
export function inputSpecsOf(step: StepPlan, catalogue: Catalogue): InputSpecs | undefined {
  if (step.kind === 'run_playbook') return playbookSpecs(step.playbook, catalogue);
  if (step.kind !== 'tool' && step.kind !== 'llm_task') return undefined;
  const contract = getContract(step.action);
  if (contract === undefined) return undefined;
  if (contract.dynamic === 'connector_endpoint')
    return endpointSpecs(step.params['connector'], step.params['endpoint'], catalogue);
  return { specs: contract.inputs, open: contract.open_inputs === true, owner: `the action \`${contract.name}\`` };
}

function endpointSpecs(connector: unknown, endpoint: unknown, catalogue: Catalogue): InputSpecs | undefined {
  if (typeof connector !== 'string' || typeof endpoint !== 'string') return undefined;
  const endpoints = catalogue.connector(connector)?.endpoints ?? {};
  const entry = Object.hasOwn(endpoints, endpoint) ? endpoints[endpoint] : undefined;
  return (
    entry && {
      specs: entry.parameters.map(normalized),
      open: false,
      owner: `the endpoint \`${connector}.${endpoint}\``,
    }
  );
}

function playbookSpecs(slug: string, catalogue: Catalogue): InputSpecs | undefined {
  const entry = catalogue.playbook(slug);
  return entry && { specs: entry.inputs.map(specOf), open: false, owner: `the playbook \`${slug}\`` };
}

/** Connectors call a list `array`. */
function normalized(spec: FieldSpec): FieldSpec {
  return { ...spec, type: shapeOf(spec).type };
}

function specOf(input: InputDeclaration): FieldSpec {
  return {
    name: input.name,
    type: shapeOf({ name: input.name, type: input.type }).type,
    required: input.required,
    ...(input.default === undefined ? {} : { default: input.default }),
    ...(isTexts(input.enum) ? { enum: input.enum } : {}),
  };
}

function isTexts(choices: InputDeclaration['enum']): choices is string[] {
  return choices !== undefined && choices.every((choice) => typeof choice === 'string');
}
