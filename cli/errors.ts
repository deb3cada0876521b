/** Exit codes of `af`. */
export const EXIT = { ok: 0, failed: 1, invalid: 2, unreachable: 3 } as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

export interface CliProblem {
  code: string;
  message: string;
  line?: number;
  column?: number;
  step?: string;
  severity?: string;
  suggestion?: string;
}

/** A failure that the command line shows as sentences and turns into an exit code. */
export class CliError extends Error {
  constructor(
    readonly code: string,
    message: string,
    readonly exitCode: ExitCode,
    readonly problems: readonly CliProblem[] = [],
  ) {
    super(message);
    this.name = 'CliError';
  }
}

export function usageError(message: string): CliError {
  return new CliError('usage', message, EXIT.invalid);
}

const UNREADABLE: Record<string, string> = {
  ENOENT: 'There is no such file.',
  EISDIR: 'It is a folder.',
  EACCES: 'This user may not read it.',
};

const UNWRITABLE: Record<string, string> = {
  ENOENT: 'There is no such folder.',
  ENOTDIR: 'There is no such folder.',
  EISDIR: 'It is a folder.',
  EACCES: 'This user may not write there.',
  ENOSPC: 'The disk is full.',
};

export function unwritable(file: string, error: unknown): CliError {
  const { code = '', message } = error as NodeJS.ErrnoException;
  return usageError(`${file} cannot be written. ${UNWRITABLE[code] ?? message}`);
}

export function unreadable(file: string, error: unknown): CliError {
  const { code = '', message } = error as NodeJS.ErrnoException;
  return usageError(`${file} cannot be read. ${UNREADABLE[code] ?? message}`);
}
