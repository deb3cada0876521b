import type { LoggerService } from '@nestjs/common';
import type { ApiLog } from './deps';

/** Turns Nest's warnings and errors into lines of ours; its messages about its start are left out. */
export function nestLog(log: ApiLog): LoggerService {
  const fields = (rest: unknown[]): object => ({ nest: rest.length > 1 ? rest : (rest[0] ?? null) });
  return {
    log: () => undefined,
    debug: () => undefined,
    verbose: () => undefined,
    warn: (message: unknown, ...rest: unknown[]) => log.warn(fields(rest), String(message)),
    error: (message: unknown, ...rest: unknown[]) =>
      message instanceof Error
        ? log.error({ ...fields(rest), err: message }, message.message)
        : log.error(fields(rest), String(message)),
    fatal: (message: unknown, ...rest: unknown[]) => log.error(fields(rest), String(message)),
  };
}
