import { endStep } from './parse-end';
import { shorten } from '../base/shorten';
import type { JsonObject } from '../base/json';
import { getContract } from '../actions/registry';
import { END_ACTION } from '../transform/end-run';
import { ENDPOINT_ACTION, endpointName } from './endpoint-name';
import type { MapReader } from './map-reader';
import { parseOutputSchema } from './parse-output-schema';
import { toJson } from './source-node';
import type { LlmStep, StepCommon, SubPlaybookStep, ToolStep } from './types';

export function parseTool(reader: MapReader, common: StepCommon): ToolStep {
  const action = reader.string('action', { required: true }) ?? '';
  const inputs = objectOf(reader, 'inputs');
  const named = endpointName(action);
  if (action === END_ACTION) return { ...endStep(common), inputs };
  if (named === undefined) return { ...common, kind: 'tool', action, inputs, params: foldedParams(reader, action) };
  const written = foldedParams(reader, ENDPOINT_ACTION);
  for (const name of ['connector', 'endpoint']) if (Object.hasOwn(written, name)) reportNamed(reader, name, action);
  // Becomes the plain call: runs, dry runs, gates and effects know no other.
  return { ...common, kind: 'tool', action: ENDPOINT_ACTION, inputs, params: { ...written, ...named } };
}

/** `action: fec.search` names both already. */
function reportNamed(reader: MapReader, name: string, action: string): void {
  const params = reader.has(name) ? reader : (reader.map('params') ?? reader);
  const message = `The action \`${shorten(action)}\` names the connector and the endpoint already.`;
  const suggestion = `Remove \`${name}\`, or write action: ${ENDPOINT_ACTION}.`;
  params.report({ code: 'duplicate_key', message, suggestion, at: params.keyPlaceOf(name) }, name);
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
