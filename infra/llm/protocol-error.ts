/**
 * An answer that is not of its protocol. Its message is ours, or holds the answer from its beginning: half a key, as the
 * excerpts of JSON.parse may show one, is recognised by no mask.
 */
export class ProtocolError extends Error {
  override name = 'ProtocolError';
}

/** What a provider calls the end of an answer is no end of its protocol, or is not there. */
export function notDone(field: string, told: string | null): ProtocolError {
  const why = told === null ? '' : `: ${field} is ${JSON.stringify(told)}`;
  return new ProtocolError(`The answer ended before the model was done${why}.`);
}

/** Reads what came as its protocol says. Whatever the reader stumbles over is a fault of the answer. */
export function byProtocol<T>(read: () => T, fault = 'The answer has another shape than its protocol.'): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof TypeError || isSyntaxError(error) ? new ProtocolError(fault) : error;
  }
}

/** By name: what the platform throws need not be an instance of this realm's class. */
export function isSyntaxError(thrown: unknown): boolean {
  return (thrown as { name?: unknown } | null | undefined)?.name === 'SyntaxError';
}
