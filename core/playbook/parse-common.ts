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
    timeout_seconds:
      reader.number('timeout_seconds', { min: 1, max: MAX_TIMEOUT }) ?? (kind === 'llm_task' ? 600 : 300),
    optional: reader.boolean('optional') ?? false,
    ...(undo === undefined ? {} : { undo }),
  };
}

function parseUndo(reader: MapReader): StepCommon['undo'] {
  const undo = reader.map('undo');
  if (undo === undefined) return undefined;
  undo.rejectUnknown(['action', 'inputs'], '`undo`');
  const action = undo.string('action', { required: true }) ?? '';
  const inputs = undo.map('inputs');
  return { action, inputs: inputs === undefined ? {} : inputs.object() };
}
