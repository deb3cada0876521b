import { sentence } from '../base/sentence';
import { AppError } from '../errors/app-error';

/**
 * Failure of a transform. Thrown inside this folder only; `transformData` and `crossReference` turn it into data, so
 * nothing here ever reaches a caller as an exception.
 */
class TransformFailure extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.name = 'TransformFailure';
    this.code = code;
  }
}

export function fail(code: string, message: string): never {
  throw new TransformFailure(code, message);
}

export interface TransformError {
  ok: false;
  code: string;
  message: string;
}

/** Runs `work`; whatever it throws becomes a result. `place` names the operation for the reader. */
export function guarded<T>(place: string, work: () => T): { ok: true; value: T } | TransformError {
  try {
    return { ok: true, value: work() };
  } catch (error) {
    if (error instanceof TransformFailure) {
      return { ok: false, code: error.code, message: `${place}${error.message}` };
    }
    if (error instanceof AppError) return { ok: false, code: error.code, message: `${place}${error.message}` };
    const reason = error instanceof Error ? error.message : String(error);
    return {
      ok: false,
      code: 'transform_failed',
      message: `${place}the data could not be processed: ${sentence(reason)}`,
    };
  }
}
