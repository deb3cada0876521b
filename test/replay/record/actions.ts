import type { ActionTable } from '../../../activities/actions/types';
import { PlatformTrouble } from '../../../activities/runner/types';
import type { JsonObject } from '../../../core/base/json';
import { AppError } from '../../../core/errors/app-error';
import { SourceWait } from '../../../connectors/runtime/limits/source-wait';

/** Actions of the recorded runs, beside the product's own. Their names are in the histories, their code is not. */
const seen = new Map<string, number>();

function times(key: string): number {
  const count = (seen.get(key) ?? 0) + 1;
  seen.set(key, count);
  return count;
}

export const recordedActions: ActionTable = {
  echo: async (call) => ({ output: { ...call.inputs } }),
  add_field: async ({ inputs: { document, field } }) => ({
    output: { document: { ...(document as JsonObject), [field as string]: true } },
  }),
  /** Fails the first `times` tries. */
  flaky: async (call, context) => {
    const tries = times(context.effectKey);
    if (tries > Number(call.inputs['times'])) return { output: { tries } };
    const retryable = call.inputs['retryable'] !== false;
    throw new AppError('upstream_unavailable', `try ${tries} failed`, { category: 'upstream', retryable });
  },
  nap: async (call, context) => {
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(resolve, Number(call.inputs['ms']));
      context.signal.addEventListener('abort', () => {
        clearTimeout(timer);
        reject(new Error('aborted'));
      });
    });
    return { output: { slept: true } };
  },
  /** A text of the asked length. */
  pages: async (call) => ({ output: { text: 'x'.repeat(Number(call.inputs['length'])), kind: 'long' } }),
  /** Action whose source asks for two waits; it continues with its earlier state. */
  patient: async (call, context) => {
    if (times(context.effectKey) > 2) return { output: { resumed: context.resume ?? null } };
    const wait = new SourceWait(Date.now() + Number(call.inputs['ms'] ?? 300), 'rate_limited', 'https://api.example');
    wait.resume = { pages: 3 };
    throw wait;
  },
  /** A list of the asked length. */
  rows: async (call) => ({
    output: {
      rows: Array.from({ length: Number(call.inputs['count']) }, (_each, n) => ({
        n,
        text: 'y'.repeat(Number(call.inputs['width'])),
      })),
    },
  }),
  /** Replacement of a source: answers with its inputs. */
  call_connector: async (call) => ({ output: { ...call.inputs } }),
  /** Action that seems to have lost two workers: goes to the quarantine queue. */
  fragile: async (_call, context) => {
    if (times(context.effectKey) > 1) return { output: { alone: true } };
    throw new PlatformTrouble('quarantine', '2 workers were lost.', context.stepPath);
  },
  /** A request that cannot be repeated leaves, and no answer comes. */
  unsure: async (_call, context) => {
    await context.beforeEffect({ description: 'POST stand-in', effect: 'unsafe' });
    throw new Error('the connection broke');
  },
};
