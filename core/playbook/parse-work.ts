import type { JsonObject } from '../base/json';
import { getContract } from '../actions/registry';
import type { MapReader } from './map-reader';
import { parseOutputSchema } from './parse-output-schema';
import { toJson } from './source-node';
import type { LlmStep, StepCommon, SubPlaybookStep, ToolStep } from './types';

export function parseTool(reader: MapReader, common: StepCommon): ToolStep {
  const action = reader.string('action', { required: true }) ?? '';
  return { ...common, kind: 'tool', action, inputs: objectOf(reader, 'inputs'), params: foldedParams(reader, action) };
}

export function parseLlm(reader: MapReader, common: StepCommon): LlmStep {
  const action = reader.string('action', { required: true }) ?? '';
  return {
    ...common,
    kind: 'llm_task',
    action,
    inputs: objectOf(reader, 'inputs'),
    params: foldedParams(reader, action),
    output_schema: parseOutputSchema(reader),
  };
}

export function parseSubPlaybook(reader: MapReader, common: StepCommon): SubPlaybookStep {
  const params = reader.map('params');
  params?.rejectUnknown(['playbook', 'version'], '`params` of run_playbook');
  const holder = (field: string): MapReader => (reader.has(field) || params === undefined ? reader : params);
  const playbook = holder('playbook').string('playbook', { required: true }) ?? '';
  const version = holder('version').text('version');
  return {
    ...common,
    kind: 'run_playbook',
    playbook,
    ...(version === undefined ? {} : { version }),
    inputs: objectOf(reader, 'inputs'),
  };
}

function objectOf(reader: MapReader, field: string): JsonObject {
  return reader.map(field)?.object() ?? {};
}

/** `params`, with the parameters of the action that stand beside it. */
function foldedParams(reader: MapReader, action: string): JsonObject {
  const params = objectOf(reader, 'params');
  const names = getContract(action)?.params.map((param) => param.name) ?? ['connector', 'endpoint', 'operations'];
  for (const name of names) {
    const beside = reader.get(name);
    if (beside === undefined) continue;
    if (Object.hasOwn(params, name)) {
      const message = `\`${name}\` is written both in the step and in its params.`;
      reader.report(
        { code: 'duplicate_key', message, suggestion: 'Remove one of them.', at: reader.keyPlaceOf(name) },
        name,
      );
    }
    params[name] = toJson(beside);
  }
  return params;
}
