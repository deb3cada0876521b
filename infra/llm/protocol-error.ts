/**
 * An answer that is not of its protocol. Its message is ours, or holds the answer from its beginning: half a key, as the
 * excerpts of JSON.parse may show one, is recognised by no mask.
 */
export class ProtocolError extends Error {
  override name = 'ProtocolError';
}

/** Error of an answer whose end is missing, or is no end of its protocol. */
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

/** Tests by name: errors of the platform need not be instances of this realm's class. */
export function isSyntaxError(thrown: unknown): boolean {
  return (thrown as { name?: unknown } | null | undefined)?.name === 'SyntaxError';
}
