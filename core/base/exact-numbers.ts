/**
 * Replay-sensitive. Does the run count exactly? Runs that began before numbers were exact and that replay keep the older
 * rule. Asked only where both rules differ: in a workflow the answer is an entry of the history.
 */
export interface ExactNumbers {
  (): boolean;
  /** Is a number that is kept as text of another type than a text that is none? Absent: yes. Once both were texts, in the order of their letters. */
  keptApart?: () => boolean;
  /** Is the last digit of a quotient rounded also where the dividend's places decide? Absent: yes. Once it was cut. */
  roundedQuotients?: () => boolean;
  /** Is a result of doubles the one nearest to the exact result, whatever their digits? Absent: yes. Once it was what doubles calculate. */
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
