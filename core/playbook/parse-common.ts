import type { MapReader } from './map-reader';
import { checkName } from './names';
import type { StepShape } from './step-fields';
import type { StepCommon } from './types';

const ON_ERROR = ['skip', 'stop', 'retry'] as const;
const MAX_RETRIES = 100;
/** One week. */
const MAX_TIMEOUT = 604_800;

/** Fields that every step has, with their defaults. */
export function parseCommon(reader: MapReader, name: string, kind: StepShape): StepCommon {
  const key = reader.string('output_key');
  const description = reader.text('description');
  const condition = reader.text('condition');
  const dependsOn = reader.strings('depends_on');
  const undo = parseUndo(reader);
  return {
    name,
    key: key !== undefined && checkName(reader, 'output_key', key) ? key : name,
    ...(description === undefined ? {} : { description }),
    ...(condition === undefined ? {} : { condition }),
    ...(dependsOn === undefined ? {} : { depends_on: [...new Set(dependsOn)] }),
    on_error: reader.oneOf('on_error', ON_ERROR) ?? 'skip',
    retry_count: reader.number('retry_count', { integer: true, min: 0, max: MAX_RETRIES }) ?? 0,
    ...parseRetries(reader),
    timeout_seconds:
      reader.number('timeout_seconds', { min: 1, max: MAX_TIMEOUT }) ?? (kind === 'llm_task' ? 600 : 300),
    optional: reader.boolean('optional') ?? false,
    ...(undo === undefined ? {} : { undo }),
  };
}

/** One hour. */
const MAX_RETRY_DELAY = 3_600;
const MAX_CODES = 50;

function parseRetries(reader: MapReader): Pick<StepCommon, 'retry_delay_seconds' | 'retry_on'> {
  const delay = reader.number('retry_delay_seconds', { min: 0.1, max: MAX_RETRY_DELAY });
  const codes = reader.strings('retry_on');
  if (codes !== undefined && (codes.length === 0 || codes.length > MAX_CODES)) {
    reader.report({ code: 'invalid_value', message: `\`retry_on\` names 1 to ${MAX_CODES} codes.` }, 'retry_on');
  }
  for (const name of ['retry_delay_seconds', 'retry_on'] as const) warnWithoutTries(reader, name);
  return {
    ...(delay === undefined ? {} : { retry_delay_seconds: delay }),
    ...(codes === undefined ? {} : { retry_on: [...new Set(codes)] }),
  };
}

function warnWithoutTries(reader: MapReader, name: string): void {
  if (!reader.has(name) || reader.has('retry_count') || reader.peekString('on_error') === 'retry') return;
  const message = `\`${name}\` does nothing without \`retry_count\`: the step is tried once.`;
  reader.report({ severity: 'warning', code: 'field_without_effect', message, at: reader.keyPlaceOf(name) }, name);
}

function parseUndo(reader: MapReader): StepCommon['undo'] {
  const undo = reader.map('undo');
  if (undo === undefined) return undefined;
  undo.rejectUnknown(['action', 'inputs'], '`undo`');
  const action = undo.string('action', { required: true }) ?? '';
  const inputs = undo.map('inputs');
  return { action, inputs: inputs === undefined ? {} : inputs.object() };
}
