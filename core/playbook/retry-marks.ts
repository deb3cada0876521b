import { isJsonObject, type Json, type JsonObject } from '../base/json';

/** Replay-sensitive. Marks among the answers that the run of a retry is given, at paths where no gate is. */

/** At a sub-playbook: its gates ask again, for what lies behind the call. */
export const ASKS_AGAIN: JsonObject = { decision: 'asks_again' };
/** At a step whose effect is taken over: a gate neither shows nor names it. */
const TAKEN_OVER: JsonObject = { decision: 'taken_over' };

export function asksAgain(answer: Json | undefined): boolean {
  return isSame(answer, ASKS_AGAIN);
}

export function isTakenOver(answer: Json | undefined): boolean {
  return isSame(answer, TAKEN_OVER);
}

/** No answer of a gate. */
export function isMark(answer: Json | undefined): boolean {
  return asksAgain(answer) || isTakenOver(answer);
}

/** Answers and marks by the paths of steps. */
export function carriedAnswers(plan: { presets: { [path: string]: JsonObject }; takenOver: readonly string[] }): {
  [path: string]: JsonObject;
} {
  return { ...Object.fromEntries(plan.takenOver.map((path) => [path, TAKEN_OVER])), ...plan.presets };
}

function isSame(answer: Json | undefined, mark: JsonObject): boolean {
  return isJsonObject(answer) && answer['decision'] === mark['decision'];
}
