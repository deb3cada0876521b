import { AppError, type AppErrorOptions, type ErrorCategory } from '../../core/errors/app-error';

const STATUS: Record<ErrorCategory, number> = {
  bad_request: 400,
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  conflict: 409,
  precondition_failed: 412,
  too_large: 413,
  validation: 422,
  precondition_required: 428,
  rate_limited: 429,
  internal: 500,
  upstream: 502,
  unavailable: 503,
  timeout: 504,
};

export function statusOf(category: ErrorCategory): number {
  return STATUS[category];
}

/** An error that only HTTP knows, with a status that no category stands for (415, 431...). */
export class HttpError extends AppError {
  readonly status: number;

  constructor(status: number, code: string, message: string, options?: Partial<AppErrorOptions>) {
    super(code, message, { category: 'bad_request', ...options });
    this.status = status;
  }
}
