import { ownField, type JsonObject } from '../../core/base/json';
import type { RunRow } from '../db/stores/run-types';
import type { PinnedConnectors, VersionRow } from '../db/stores/definition-types';
import type { RunRetryStore } from '../db/stores/run-retry.store';
import { asksAgain } from '../../core/playbook/retry-marks';
import { answersTakenOver, planRetry, repeatsSomething, type RetryFacts } from '../../core/playbook/retry-plan';
import type { Plan } from '../../core/playbook/types';
import { pinnedEffects } from './plan-to-run';

export interface RetryReader {
  retries: Pick<RunRetryStore, 'outcomes' | 'gates' | 'called' | 'carried'>;
  connectors: PinnedConnectors;
  /** A sub-playbook and the version that it pinned; undefined: not to be read. */
  child: (id: string) => Promise<{ run: RunRow; version: VersionRow<Plan> } | undefined>;
}

/** Reads the facts that the plan of a retry needs, of a closed run and of its sub-playbooks. */
export async function retryFacts(reader: RetryReader, run: RunRow, { body }: VersionRow<Plan>): Promise<RetryFacts> {
  const { retries, connectors } = reader;
  const { id, owner_id: ownerId } = run;
  const outcomes = await retries.outcomes(ownerId, id);
  const called = await retries.called(ownerId, id);
  const asked = await retries.gates(ownerId, id);
  const { overrides, presets } = await retries.carried(id);
  const well = new Set(outcomes.filter(({ ok }) => ok).map(({ step_path: path }) => path));
  const repeating = new Set<string>();
  for (const { step_path: path, id: child } of called)
    if (!well.has(path) && (await repeatsIn(reader, child))) repeating.add(path);
  return {
    plan: body,
    lookup: await pinnedEffects(connectors, run),
    outcomes,
    gates: [
      ...asked,
      ...answersTakenOver(presets ?? {}).filter(
        ({ step_path: path }) => !asked.some((gate) => gate.step_path === path),
      ),
    ],
    ...(overrides === null ? {} : { overridden: overrides }),
    carried: presets ?? {},
    repeating,
    asking: new Set(called.filter(({ asked }) => asked).map(({ step_path: path }) => path)),
    unasked: new Set(
      marksToAsk(presets ?? {}).filter((path) => !well.has(path) && !called.some((call) => call.step_path === path)),
    ),
  };
}

/** Paths of sub-playbooks whose gates were to ask again. */
function marksToAsk(presets: JsonObject): string[] {
  return Object.keys(presets).filter((path) => asksAgain(ownField(presets, path)));
}

/** Counts unreadable runs as repeating effects. */
async function repeatsIn(reader: RetryReader, id: string): Promise<boolean> {
  const found = await reader.child(id);
  if (found === undefined) return true;
  const facts = await retryFacts(reader, found.run, found.version);
  return repeatsSomething(facts, planRetry(facts));
}
