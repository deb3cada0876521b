import { isJsonObject, type Json, type JsonObject } from '../base/json';

/** Replay-sensitive. Stands among the answers at the path of a step whose effect a retry takes over: a gate neither shows nor names it. */
const TAKEN_OVER: JsonObject = { decision: 'taken_over' };

export function isTakenOver(answer: Json | undefined): boolean {
  return isJsonObject(answer) && answer['decision'] === TAKEN_OVER['decision'];
}

/** What the run of a retry is given at the paths of its steps: answers, and marks for its gates. */
export function carriedAnswers(plan: { presets: { [path: string]: JsonObject }; takenOver: readonly string[] }): {
  [path: string]: JsonObject;
} {
  return { ...Object.fromEntries(plan.takenOver.map((path) => [path, TAKEN_OVER])), ...plan.presets };
}
