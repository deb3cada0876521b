import type { AppError } from '../../../core/errors/app-error';

const UNIQUE_VIOLATION = '23505';
const DENIED = '42501';

function isTaken(error: unknown): boolean {
  return (error as { code?: unknown } | null)?.code === UNIQUE_VIOLATION;
}

/** Row-level security refused: a row refers to what the caller may not use. */
export function isDenied(error: unknown): boolean {
  return (error as { code?: unknown } | null)?.code === DENIED;
}

export async function mapConflict<T>(work: Promise<T>, conflict: () => AppError): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw isTaken(error) ? conflict() : error;
  }
}
