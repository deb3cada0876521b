import { getContract, listContracts } from '../../actions/registry';
import type { ActionContract } from '../../actions/types';
import { type Fields, nearestName, safeRecord } from '../fields';
import { readEndpointCommon } from '../mapping';
import { ACTION_NAME, PARAMETER_NAME } from '../patterns';
import type { Parameter, ToolConnection, ToolEndpoint } from '../types';
import { readParameters } from './rest-parameters';
import type { TypeReader } from './type-reader';

export const readExistingTool: TypeReader = ({ common, top, connection, endpoints }) => {
  if (connection === undefined) {
    top.report.add(top.at('connection'), 'missing_field', 'An existing_tool connector needs `connection` with `tool`.');
    return undefined;
  }
  const read = readConnection(connection);
  return {
    ...common,
    type: 'existing_tool',
    connection: read,
    endpoints: safeRecord(endpoints.map(({ name, fields }) => [name, readEndpoint(fields, read.tool)])),
  };
};

/** Keys under which other products name a tool. */
const MODULE_KEYS = ['tool_module', 'tool_function'];

function readConnection(fields: Fields): ToolConnection {
  for (const name of MODULE_KEYS) {
    const message = `\`${name}\` would run code by its name; only registered actions can be used.`;
    fields.refuse(name, message, 'Name the action with `tool:`, for example `tool: query_journal`.');
  }
  const byModule = MODULE_KEYS.some((name) => Object.hasOwn(fields.value, name));
  const tool = fields.text('tool', { required: !byModule, ...ACTION_NAME });
  checkTool(fields, tool);
  fields.done();
  return { tool: tool ?? '' };
}

/** A tool that is not executable yet may be named: calls answer `not_available` until it comes. */
function checkTool(fields: Fields, tool: string | undefined): void {
  if (tool === undefined) {
    return;
  }
  const contract = wrapped(tool);
  if (contract === undefined) {
    const names = listContracts().flatMap(({ name }) => (wrapped(name) === undefined ? [] : [name]));
    const message = `\`${tool}\` is no action that a connector can wrap.`;
    fields.report.add(fields.at('tool'), 'unknown_reference', message, nearestName(tool, names));
  } else if (!contract.available) {
    const message = `The action \`${tool}\` is declared, but not executable in this version.`;
    fields.report.add(fields.at('tool'), 'not_available', message, { severity: 'warning' });
  }
}

/** Allows tools only: a connector that calls connectors could call itself. */
function wrapped(tool: string): ActionContract | undefined {
  const contract = getContract(tool);
  return contract?.step_type === 'tool' && contract.dynamic !== 'connector_endpoint' ? contract : undefined;
}

function readEndpoint(fields: Fields, inherited: string): ToolEndpoint {
  const tool = fields.text('tool', ACTION_NAME);
  checkTool(fields, tool);
  const declared = readParameters(fields, 'parameters', { places: ['body'], fallback: 'body', name: PARAMETER_NAME });
  const common = readEndpointCommon(fields);
  const passthrough = fields.flag('passthrough') ?? common.response_mapping === undefined;
  fields.done();
  if (passthrough && common.response_mapping !== undefined) {
    const message = "With `passthrough: true` the action's own result comes back; `response_mapping` has no meaning.";
    fields.report.add(fields.at('response_mapping'), 'invalid_value', message, { at: 'key' });
  }
  checkParameters(fields, wrapped(tool ?? inherited), declared);
  return {
    ...common,
    ...(tool === undefined ? {} : { tool }),
    ...(fields.has('parameters') ? { parameters: declared } : {}),
    passthrough,
  };
}

/** Declared parameters narrow what the action takes; what it cannot do without must be among them. */
function checkParameters(fields: Fields, contract: ActionContract | undefined, declared: readonly Parameter[]): void {
  if (contract === undefined || !fields.has('parameters')) {
    return;
  }
  const slots = [...contract.inputs, ...contract.params];
  const names = slots.map((slot) => slot.name);
  declared.forEach((parameter, index) => {
    if (parameter.name !== '' && !names.includes(parameter.name) && contract.open_inputs !== true) {
      const message = `The action \`${contract.name}\` takes no \`${parameter.name}\`. It takes ${names.join(', ')}.`;
      const at = [...fields.at('parameters'), index, 'name'];
      fields.report.add(at, 'unknown_reference', message, nearestName(parameter.name, names));
    }
  });
  const given = new Set(declared.map((parameter) => parameter.name));
  for (const slot of slots.filter((each) => each.required === true && !given.has(each.name))) {
    const message = `The action \`${contract.name}\` needs \`${slot.name}\`, but no parameter of that name is declared.`;
    fields.report.add(fields.at('parameters'), 'missing_field', message, { at: 'key' });
  }
}
