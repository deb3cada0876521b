import { createLogger, type Logger } from './logger';

/** File descriptor of the log: standard output carries the announcements of a start. */
export const STANDARD_ERROR = 2;

/**
 * Writes messages that Node would print as text of several lines as lines of the log: its warnings, and the error that
 * ends the process.
 */
export function logProcess(log: Logger): void {
  process.removeAllListeners('warning');
  process.on('warning', (warning) => log.warn({ err: warning }, 'a warning of Node'));
  process.on('uncaughtException', (error) => {
    log.fatal({ err: error }, 'the process ends on an error that nobody caught');
    process.exit(1);
  });
}

/** Writes why a process ends: a sentence on a terminal, a line of the log elsewhere. */
export function logExit(name: string, message: string, code?: string): void {
  if (process.stderr.isTTY) {
    process.stderr.write(`${message}\n`);
    return;
  }
  createLogger({ name, level: 'fatal', fd: STANDARD_ERROR }).fatal(code === undefined ? {} : { code }, message);
}
