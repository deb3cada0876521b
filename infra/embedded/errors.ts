import { AppError } from '../../core/errors/app-error';

/** A failure of the embedded profile: what happened and the way out, as sentences for people. */
export function embeddedError(code: string, message: string, cause?: unknown): AppError {
  return new AppError(code, message, { category: 'unavailable', retryable: false, cause });
}

/** Code of a Node system error (`ENOENT`, `ENOSPC`, ...), or an empty string. */
export function systemCode(error: unknown): string {
  if (typeof error !== 'object' || error === null || !('code' in error)) return '';
  return typeof error.code === 'string' ? error.code : '';
}

/** Turns the failures that a disk gives into sentences; anything else passes through. */
export function explainDiskError(error: unknown, place: string): unknown {
  switch (systemCode(error)) {
    case 'ENOSPC':
    case 'EDQUOT':
      return embeddedError(
        'disk_full',
        `The disk that holds ${place} is full. Free some space, or set AF_HOME to another disk.`,
        error,
      );
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return embeddedError(
        'not_writable',
        `${place} cannot be written. Give this user the right to, or set AF_HOME to another directory.`,
        error,
      );
    case 'EEXIST':
    case 'ENOTDIR':
      return embeddedError(
        'not_a_directory',
        `${place} cannot be a directory: a file of that name is in the way. Move it, or set AF_HOME to another directory.`,
        error,
      );
    default:
      return error;
  }
}

/** The same for a place where the system gives no clear reason: /proc calls it missing, a name may be too long. */
export function explainRefusal(error: unknown, place: string): unknown {
  const known = explainDiskError(error, place);
  const code = systemCode(error);
  if (known !== error || !/^E[A-Z0-9]+$/.test(code)) return known;
  return embeddedError(
    'not_writable',
    `${place} cannot be made or written: the system answers ${code}. Set AF_HOME to a directory on a disk that this user can write.`,
    error,
  );
}
