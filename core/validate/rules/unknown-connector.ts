import { shorten } from '../../base/shorten';
import { getContract } from '../../actions/registry';
import { endpointName } from '../../playbook/endpoint-name';
import { effectRefusal, type ToolRefusal } from '../../schema/tool-specs';
import type { Path } from '../../playbook/source-node';
import type { LlmStep, StepPlan, ToolStep } from '../../playbook/types';
import { plannedSteps } from '../catalogue';
import type { RuleContext } from '../context';
import type { Rule } from '../rule';

/** A called connector exists for the owner and has the endpoint; so have the tools of a model, which only read. */
export const unknownConnector: Rule = {
  name: 'unknown-connector',
  check(context) {
    for (const step of plannedSteps(context.plan)) {
      if (step.kind === 'tool' && getContract(step.action)?.dynamic === 'connector_endpoint') checkCall(context, step);
      if (step.kind === 'llm_task') checkTools(context, step);
      if (step.undo !== undefined) checkNamed(context, step, ['undo', 'action'], step.undo.action);
    }
  },
};

function checkCall(context: RuleContext, step: ToolStep): void {
  const { connector, endpoint } = step.params;
  if (typeof connector !== 'string' || connector === '' || connector.includes('{')) return;
  const written = context.writtenJson(step, ['action']);
  if (typeof written === 'string' && endpointName(written) !== undefined) {
    checkNamed(context, step, ['action'], written);
    return;
  }
  const entry = context.catalogue.connector(connector);
  if (entry === undefined) {
    context.report(step, ['params', 'connector'], problemOf(context, connector));
    return;
  }
  if (typeof endpoint !== 'string' || endpoint.includes('{') || Object.hasOwn(entry.endpoints, endpoint)) return;
  context.report(step, ['params', 'endpoint'], unknownEndpoint(context, connector, endpoint));
}

/** `connector.endpoint` in one text: the problem points at the part that is wrong. */
function checkNamed(context: RuleContext, step: StepPlan, path: Path, name: string): void {
  const found = nameProblem(context, name);
  if (found === undefined) return;
  context.report(step, path, found.code === 'unknown_endpoint' ? { ...found, offset: name.indexOf('.') + 1 } : found);
}

interface Found {
  code: string;
  message: string;
  suggestion: string;
}

function problemOf(context: RuleContext, connector: string): Found {
  const near = context.suggest(connector, context.catalogue.connectorSlugs());
  return {
    code: 'unknown_connector',
    message: `There is no connector \`${shorten(connector)}\`.`,
    suggestion: near === undefined ? 'Save that connector first.' : `Did you mean \`${near}\`?`,
  };
}

function unknownEndpoint(context: RuleContext, connector: string, endpoint: string): Found {
  const names = Object.keys(context.catalogue.connector(connector)?.endpoints ?? {});
  const near = context.suggest(endpoint, names);
  return {
    code: 'unknown_endpoint',
    message: `The connector \`${connector}\` has no endpoint \`${shorten(endpoint)}\`.`,
    suggestion: near === undefined ? `Known endpoints: ${names.slice(0, 20).join(', ')}.` : `Did you mean \`${near}\`?`,
  };
}

/** A tool is an action or `connector.endpoint`. */
function checkTools(context: RuleContext, step: LlmStep): void {
  const { tools } = step.params;
  // Elsewhere one text stands for a list of one, and a number for its text.
  if (typeof tools === 'string' && !tools.includes('{')) reportNoNames(context, step, ['params', 'tools']);
  if (!Array.isArray(tools)) return;
  tools.forEach((tool, index) => {
    if (typeof tool !== 'string') {
      // Records are told of by their type.
      if (tool === null || typeof tool !== 'object') reportNoNames(context, step, ['params', 'tools', index]);
      return;
    }
    const found = toolProblem(context, tool);
    if (found) context.report(step, ['params', 'tools', index], found);
  });
}

function reportNoNames(context: RuleContext, step: LlmStep, path: Path): void {
  const message = '`tools` must be a list of names of tools.';
  context.report(step, path, {
    code: 'type_mismatch',
    message,
    suggestion: 'Write tools: [name, connector.endpoint].',
  });
}

function nameProblem(context: RuleContext, name: string): Found | undefined {
  const named = endpointName(name);
  if (named === undefined) return undefined;
  const { connector, endpoint } = named;
  const entry = context.catalogue.connector(connector);
  if (entry === undefined) return problemOf(context, connector);
  return Object.hasOwn(entry.endpoints, endpoint) ? undefined : unknownEndpoint(context, connector, endpoint);
}

function toolProblem(context: RuleContext, tool: string): Found | undefined {
  const named = endpointName(tool);
  if (named !== undefined) return nameProblem(context, tool) ?? endpointEffectProblem(context, tool, named);
  const contract = getContract(tool);
  if (contract === undefined) {
    const suggestion = 'Name an action, or a connector endpoint as connector.endpoint.';
    return { code: 'unknown_action', message: `There is no tool \`${shorten(tool)}\`.`, suggestion };
  }
  if (contract.available && contract.step_type === 'tool' && contract.dynamic !== 'connector_endpoint') {
    return asFound(effectRefusal(tool, contract.effect));
  }
  const suggestion =
    contract.dynamic === 'connector_endpoint' ? 'Name the endpoint as connector.endpoint.' : 'Name another tool.';
  return { code: 'action_not_available', message: `The action \`${tool}\` cannot be a tool of a model.`, suggestion };
}

function endpointEffectProblem(
  context: RuleContext,
  tool: string,
  { connector, endpoint }: { connector: string; endpoint: string },
): Found | undefined {
  const entry = context.catalogue.connector(connector)?.endpoints[endpoint];
  return entry && asFound(effectRefusal(tool, entry.effect));
}

function asFound(refusal: ToolRefusal | undefined): Found | undefined {
  return refusal && { code: refusal.code, message: refusal.message, suggestion: refusal.suggestion };
}
