import { meantOr } from '../../core/base/did-you-mean';
import type { JsonObject } from '../../core/base/json';
import { AppError } from '../../core/errors/app-error';
import { dependenciesOf, dependentsOf } from '../../core/graph/dependencies';
import type { Plan, StepPlan } from '../../core/playbook/types';
import type { GateOutcome, RetryPlan, StepOutcome } from '../../infra/db/stores/run-retry.store';

export interface RetryFacts {
  plan: Plan;
  outcomes: StepOutcome[];
  gates: GateOutcome[];
  /** `name`, or `name[3]` for one item of a `for_each`. */
  fromStep?: string;
  inputs?: JsonObject;
}

const WHOLES: ReadonlySet<StepPlan['kind']> = new Set(['parallel', 'for_each', 'loop', 'route']);

/** Which results and answers of a closed run hold again when it is carried out from a step on. Throws `unknown_step`. */
export function planRetry(facts: RetryFacts): RetryPlan {
  const from = facts.fromStep ?? firstUnsuccessful(facts);
  if (from === undefined) {
    if (facts.inputs !== undefined) {
      throw invalid(
        'from_step_required',
        'Every step that was reached succeeded: name the step that the inputs are for in `from_step`.',
      );
    }
    return { from: null, keep: succeeded(facts), presets: presets(facts, () => true), overrides: {} };
  }
  const step = stepOf(facts.plan, from);
  if (facts.inputs !== undefined && step.kind !== 'tool' && step.kind !== 'llm_task' && step.kind !== 'run_playbook') {
    throw invalid('inputs_not_editable', `The step "${step.name}" is a ${step.kind}: it has no inputs to edit.`);
  }
  const untouched = untouchedBy(facts, step, from);
  const asked = facts.inputs === undefined ? undefined : gatesBefore(facts.plan.steps, step);
  return {
    from,
    keep: succeeded(facts).filter(untouched),
    presets: presets(facts, (path) => untouched(path) && asked?.has(rootOf(path)) !== true),
    overrides: facts.inputs === undefined ? {} : { [from]: facts.inputs },
  };
}

function invalid(code: string, message: string): AppError {
  return new AppError(code, message, { category: 'validation' });
}

/** Name of the top-level step that a path belongs to: `each[3]/parse` → `each`. */
function rootOf(path: string): string {
  return /^[^[/]*/.exec(path)?.[0] ?? path;
}

function stepOf(plan: Plan, from: string): StepPlan {
  const step = plan.steps.find((each) => each.name === rootOf(from));
  const item = /^[^[/]*\[\d+\]$/.test(from);
  if (step === undefined || (from !== step.name && !(item && step.kind === 'for_each'))) {
    const names = plan.steps.map((each) => each.name);
    const way = meantOr(rootOf(from), names, `Steps: ${names.join(', ')}.`);
    throw invalid(
      'unknown_step',
      `"${from}" is not a step of the playbook's own list, nor an item of one of its for_each steps. ${way}`,
    );
  }
  return step;
}

function succeeded(facts: RetryFacts): string[] {
  return facts.outcomes.filter((outcome) => outcome.ok).map((outcome) => outcome.step_path);
}

/**
 * The first step of the list that failed, or the gate that ended the run. That a parallel, a list or a loop failed as a whole
 * says nothing of what succeeded in it: there the steps inside count.
 */
function firstUnsuccessful({ plan, outcomes, gates }: RetryFacts): string | undefined {
  const wholes = new Set(plan.steps.filter(({ kind }) => WHOLES.has(kind)).map(({ name }) => name));
  const failed = outcomes.filter(({ ok, step_path }) => !ok && !wholes.has(step_path));
  const bad = new Set(failed.map((outcome) => rootOf(outcome.step_path)));
  gates.filter((gate) => !holdsAgain(gate)).forEach((gate) => bad.add(rootOf(gate.step_path)));
  return plan.steps.find((step) => bad.has(step.name))?.name;
}

/**
 * Everything that neither is the step nor lies behind it. Of a `for_each` that is repeated because some items failed,
 * the other items hold; when it was named itself, it is carried out as a whole.
 */
function untouchedBy(facts: RetryFacts, step: StepPlan, from: string): (path: string) => boolean {
  const behind = dependentsOf(step.name, facts.plan.steps);
  const items =
    step.kind !== 'for_each'
      ? undefined
      : from !== step.name
        ? new Set([from])
        : facts.fromStep === undefined
          ? failedItems(facts, step.name)
          : undefined;
  return (path) => {
    const root = rootOf(path);
    if (root !== step.name) {
      return !behind.has(root);
    }
    return items !== undefined && !items.has(itemOf(path));
  };
}

function itemOf(path: string): string {
  return /^[^[/]*\[\d+\]/.exec(path)?.[0] ?? path;
}

function failedItems({ outcomes, gates }: RetryFacts, name: string): Set<string> {
  const failed = outcomes.filter((outcome) => !outcome.ok).map((outcome) => outcome.step_path);
  const open = gates.filter((gate) => !holdsAgain(gate)).map((gate) => gate.step_path);
  return new Set([...failed, ...open].filter((path) => rootOf(path) === name).map(itemOf));
}

/** Edited inputs were approved by nobody: gates right before the step ask again. */
function gatesBefore(steps: StepPlan[], step: StepPlan): Set<string> {
  const direct = dependenciesOf(steps).get(step.name) ?? [];
  return new Set(direct.filter((name) => steps.some((each) => each.name === name && each.kind === 'approval')));
}

function holdsAgain(gate: GateOutcome): boolean {
  return (
    gate.status === 'approved' ||
    gate.status === 'auto_approved' ||
    (gate.status === 'rejected' && gate.on_reject === 'skip')
  );
}

function presets({ gates }: RetryFacts, kept: (path: string) => boolean): RetryPlan['presets'] {
  const answers = gates.filter((gate) => holdsAgain(gate) && kept(gate.step_path));
  return Object.fromEntries(
    answers.map((gate) => [
      gate.step_path,
      {
        decision: gate.status,
        ...(gate.instructions === null ? {} : { instructions: gate.instructions }),
        ...(gate.edits === null ? {} : { edits: gate.edits }),
        ...(gate.decided_by === null ? {} : { decided_by: gate.decided_by }),
      },
    ]),
  );
}
