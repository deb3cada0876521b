import type { MapReader } from './map-reader';
import { parseGateRules } from './parse-gate-rules';
import type { ApprovalStep, StepCommon } from './types';

const CHOICES = ['stop', 'skip'] as const;
/** One year. */
const MAX_MINUTES = 525_600;

export function parseApproval(reader: MapReader, common: StepCommon): ApprovalStep {
  const previewFrom = withoutBraces(reader.string('preview_from'));
  const minutes = reader.number('timeout_minutes', { min: 0.001, max: MAX_MINUTES });
  const rules = parseGateRules(reader, minutes ?? MAX_MINUTES);
  return {
    ...common,
    kind: 'approval',
    prompt: reader.string('prompt') ?? `Go on after "${common.name}"?`,
    ...(previewFrom === undefined ? {} : { preview_from: previewFrom }),
    preview_limit: reader.number('preview_limit', { integer: true, min: 1, max: 1_000 }) ?? 10,
    ...(minutes === undefined ? {} : { timeout_minutes: minutes }),
    on_reject: reader.oneOf('on_reject', CHOICES) ?? 'stop',
    // compile.ts decides a default by the effects behind the gate.
    on_timeout: reader.oneOf('on_timeout', CHOICES) ?? 'stop',
    ...(rules === undefined ? {} : { rules }),
  };
}

/** `preview_from` and `source` name a key; braces around it are accepted. */
export function withoutBraces(text: string | undefined): string | undefined {
  const trimmed = text?.trim();
  return trimmed?.startsWith('{') && trimmed.endsWith('}') ? trimmed.slice(1, -1).trim() : trimmed;
}
