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
}

export const EXACT: ExactNumbers = () => true;

export function roundsQuotients(exact: ExactNumbers): boolean {
  return exact.roundedQuotients?.() !== false;
}

/** Two texts that have no order: a number that a double does not hold is no text beside one that is no number. */
export function isOfOtherType(isKept: boolean, exact: ExactNumbers): boolean {
  return isKept && exact() && exact.keptApart?.() !== false;
}
