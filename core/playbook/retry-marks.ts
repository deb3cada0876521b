import { isJsonObject, ownField, type Json, type JsonObject } from '../base/json';

/** Replay-sensitive. Marks among the answers that a retry's run is given, at paths that are no gates. */

/** At a sub-playbook: its gates ask again, because of effects that follow the call. */
export const ASKS_AGAIN: JsonObject = { decision: 'asks_again' };
/** At a step whose effect is taken over: gates neither show nor name it. */
const TAKEN_OVER: JsonObject = { decision: 'taken_over' };

/** Beside a gate: the edits with which the step behind it left in the run whose effect keys a retry goes on with. */
const LEFT_WITH = 'left_with';
const LEFT = '/~left';

export function asksAgain(answer: Json | undefined): boolean {
  return isSame(answer, ASKS_AGAIN);
}

export function isTakenOver(answer: Json | undefined): boolean {
  return isSame(answer, TAKEN_OVER);
}

/** True for a mark, which is no answer of a gate. */
export function isMark(answer: Json | undefined): boolean {
  return asksAgain(answer) || isTakenOver(answer) || (isJsonObject(answer) && answer['decision'] === LEFT_WITH);
}

/** Undefined: not known, as in a first run. */
export function leftWith(answers: JsonObject, gate: string): JsonObject | undefined {
  const mark = ownField(answers, gate + LEFT);
  const inputs = isJsonObject(mark) ? mark['inputs'] : undefined;
  return isJsonObject(inputs) ? inputs : undefined;
}

/** Answers and marks by the paths of steps. */
export function carriedAnswers(plan: {
  presets: { [path: string]: JsonObject };
  takenOver: readonly string[];
  left?: { [gate: string]: JsonObject };
}): { [path: string]: JsonObject } {
  const left = Object.entries(plan.left ?? {}).map(([gate, inputs]) => [gate + LEFT, { decision: LEFT_WITH, inputs }]);
  return {
    ...Object.fromEntries(plan.takenOver.map((path) => [path, TAKEN_OVER])),
    ...(Object.fromEntries(left) as { [path: string]: JsonObject }),
    ...plan.presets,
  };
}

function isSame(answer: Json | undefined, mark: JsonObject): boolean {
  return isJsonObject(answer) && answer['decision'] === mark['decision'];
}
