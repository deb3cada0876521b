/**
 * Replay-sensitive. Does the run count exactly? Runs that began before numbers were exact and that replay keep the older
 * rule. Asked only where both rules differ: in a workflow the answer is an entry of the history.
 */
export interface ExactNumbers {
  (): boolean;
  /**
   * True if a number that is kept as text and another text have different types. Absent = true. Older runs compared
   * them as texts.
   */
  keptApart?: () => boolean;
  /**
   * True if the last digit of a quotient is rounded also where the dividend's places decide. Absent = true. Older runs
   * cut it.
   */
  roundedQuotients?: () => boolean;
  /**
   * True if a result of doubles is the one nearest to the exact result. Absent = true. Older runs took the double's own
   * result.
   */
  nearestResults?: () => boolean;
}

export const EXACT: ExactNumbers = () => true;

export function roundsQuotients(exact: ExactNumbers): boolean {
  return exact.roundedQuotients?.() !== false;
}

/** Two texts that have no order: a number that a double does not hold is no text beside one that is no number. */
export function isOfOtherType(isKept: boolean, exact: ExactNumbers): boolean {
  return isKept && exact() && exact.keptApart?.() !== false;
}

/** The newer result, in a run that follows the rule for it. Asked only where the results differ. */
export function nearestOr<T>(older: T, nearest: T, exact: ExactNumbers): T {
  return nearest === older || exact.nearestResults?.() === false ? older : nearest;
}
