import { getContract } from '../actions/registry';
import { didYouMean } from '../base/did-you-mean';
import type { MapReader } from './map-reader';
import type { StepKind, StepShape } from './step-fields';

const STEP_TYPES = ['tool', 'llm_task', 'approval'] as const;
export const SHAPES = ['for_each', 'loop', 'route', 'end', 'fail'] as const;

/** Finds out what kind of step a mapping describes and reports what contradicts it. */
export function stepKind(reader: MapReader): StepShape {
  const shape = shapeOf(reader);
  if (shape !== undefined) {
    checkShape(reader, shape);
    return shape === 'fail' ? 'end' : shape;
  }
  const written = reader.oneOf('step_type', STEP_TYPES);
  if (written !== undefined) return written;
  const implied = impliedType(reader);
  if (!reader.has('step_type')) {
    const suggestion = `Write step_type: ${implied ?? STEP_TYPES.join(', ').replace(/, (\w+)$/, ' or $1')}.`;
    reader.missing('step_type', suggestion);
  }
  // A mistyped type is reported above; the rest is checked as what was probably meant.
  const meant = didYouMean(reader.peekString('step_type') ?? '', STEP_TYPES);
  return implied ?? STEP_TYPES.find((type) => type === meant) ?? 'approval';
}

function shapeOf(reader: MapReader): StepKind | 'end' | 'fail' | undefined {
  const structure = SHAPES.find((name) => reader.has(name));
  if (structure !== undefined) return structure;
  const action = actionOf(reader);
  if (action === 'parallel' || (action === undefined && reader.has('parallel_steps'))) return 'parallel';
  if (action === 'run_playbook' || (action === undefined && reader.has('playbook'))) return 'run_playbook';
  return undefined;
}

function actionOf(reader: MapReader): string | undefined {
  const node = reader.get('action');
  return node?.kind === 'scalar' && typeof node.value === 'string' ? node.value : undefined;
}

function impliedType(reader: MapReader): (typeof STEP_TYPES)[number] | undefined {
  const action = actionOf(reader);
  if (action !== undefined) return getContract(action)?.step_type === 'llm_task' ? 'llm_task' : 'tool';
  return reader.has('prompt') || reader.has('preview_from') ? 'approval' : undefined;
}

/** A shape stands alone: one of for_each, loop, route or an action, and no other step type than tool. */
function checkShape(reader: MapReader, shape: StepKind | 'end' | 'fail'): void {
  for (const other of SHAPES) {
    if (other === shape || !reader.has(other)) continue;
    reader.report(
      {
        code: 'conflicting_shape',
        message: `A step has one shape, but both \`${shape}\` and \`${other}\` are written.`,
        suggestion: `Put the \`${other}\` into a step of its own, inside or after this one.`,
        at: reader.keyPlaceOf(other),
      },
      other,
    );
  }
  // Reads `action` as a text: their other fields say the kind, and an action of another type would be ignored.
  if (shape === 'parallel' || shape === 'run_playbook') reader.string('action');
  const written = reader.oneOf('step_type', STEP_TYPES);
  if (written === undefined || written === 'tool') return;
  reader.report(
    {
      code: 'conflicting_shape',
      message: `A step with \`${shape}\` cannot have step_type ${written}.`,
      suggestion: 'Leave out step_type.',
    },
    'step_type',
  );
}
