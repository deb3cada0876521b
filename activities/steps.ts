import { CancelledFailure, Context } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import type { Json } from '../core/base/json';
import { packShared } from '../core/base/shared-json';
import type { RunUnitsInput, RunUnitsResult, StepsAnswer } from '../workflows/types';
import { abandonOnShutdown } from './platform';
import { runUnits } from './runner/run-units';
import { PlatformTrouble, type RunnerDeps } from './runner/types';
import type { RunVerifier } from './verify';

export interface StepActivityDeps extends RunnerDeps {
  verifier: RunVerifier;
  worker: string;
  heartbeatMs: number;
}

export type StepActivity = (input: RunUnitsInput) => Promise<StepsAnswer>;

/** The runner inside a Temporal activity: signs of life, cancellation, and errors in Temporal's form. */
export function stepActivity(deps: StepActivityDeps): StepActivity {
  return async (input) => {
    const context = Context.current();
    await deps.verifier.verify(input);
    let path = input.units[0]?.path ?? '';
    // Sends no heartbeat at once: most steps end before the first one, and each costs the server a write.
    const pulse = setInterval(() => context.heartbeat({ path }), deps.heartbeatMs);
    try {
      const running = runUnits(deps, input, {
        worker: deps.worker,
        attempt: context.info.attempt,
        signal: context.cancellationSignal,
        beat: (current) => {
          path = current;
        },
      });
      return stepsAnswer(await abandonOnShutdown(running), input);
    } catch (error) {
      throw toFailure(error, context.cancellationSignal.aborted);
    } finally {
      clearInterval(pulse);
    }
  };
}

/** Steps that each add a field to a document answer with little more than that document. */
export function stepsAnswer({ outcomes, held }: RunUnitsResult, { packs }: Pick<RunUnitsInput, 'packs'>): StepsAnswer {
  const packed = packs === true ? packShared(Object.fromEntries(outcomes.entries()) as unknown as Json) : undefined;
  return { ...(packed ? { packed } : { outcomes }), ...(held && { held }) };
}

const FOR_THE_ENGINE = ['quarantine', 'worker_lost', 'context_mismatch'];

function toFailure(error: unknown, cancelled: boolean): unknown {
  if (!(error instanceof PlatformTrouble)) return error;
  if (error.code === 'interrupted') {
    return cancelled
      ? new CancelledFailure(error.message)
      : ApplicationFailure.create({ type: 'interrupted', message: error.message });
  }
  return ApplicationFailure.create({
    type: error.code,
    message: error.message,
    details: [error.path],
    nonRetryable: FOR_THE_ENGINE.includes(error.code),
  });
}
