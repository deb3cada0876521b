/**
 * Replay-sensitive. Does the run count exactly? Runs that began before numbers were exact and that replay keep the older
 * rule. Asked only where both rules differ: in a workflow the answer is an entry of the history.
 */
export type ExactNumbers = () => boolean;

export const EXACT: ExactNumbers = () => true;
