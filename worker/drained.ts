import type { State } from '@temporalio/worker';

/**
 * Passes over one error of the SDK at the end of a worker: it counts who still holds the native worker at the moment when its
 * last call was answered, and the call itself is sometimes still being put away ("Worker still in use"). By then all that was
 * under way has ended and is recorded, so this is a clean end. Every other error goes on.
 */
export function passDrained(worker: { getState(): State }, note: (error: Error) => void): (error: unknown) => void {
  return (error) => {
    const isRace = error instanceof Error && /^Worker still in use\b/.test(error.message);
    if (!isRace || worker.getState() !== 'STOPPED') throw error;
    note(error);
  };
}
