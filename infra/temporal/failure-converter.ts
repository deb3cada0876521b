import {
  DefaultFailureConverter,
  type PayloadConverter,
  type ProtoFailure,
  type SerializationContext,
} from '@temporalio/common';

/**
 * Message and stack trace of a failure travel as a payload, so that they are sealed like everything else of a run. What
 * stays plain is the type, which is a code: retry policies and the engine decide by it. Failures from before are read as
 * they are.
 *
 * Part of the workflow bundle too: it imports nothing but the SDK's common part.
 */
class SealedFailures extends DefaultFailureConverter {
  constructor() {
    super({ encodeCommonAttributes: true });
  }

  /**
   * A copy: the SDK passes the very failure that an error was read from, and sealing empties it. Thrown a second
   * time, the error would have lost its message.
   */
  override errorToFailureInner(
    error: unknown,
    payloadConverter: PayloadConverter,
    context?: SerializationContext,
  ): ProtoFailure {
    return { ...super.errorToFailureInner(error, payloadConverter, context) };
  }
}

export const failureConverter = new SealedFailures();
