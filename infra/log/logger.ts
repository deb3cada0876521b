import pino, { type Logger } from 'pino';
import { maskUrls } from './mask-urls';

export type { Logger } from 'pino';

export interface LoggerOptions {
  /** Name of the process: `api`, `worker`, `cli`. */
  name: string;
  level: string;
  /** Takes known secrets out of a finished line. */
  mask?: (line: string) => string;
  /** File descriptor to write to; standard output by default. */
  fd?: number;
}

/** Fields whose values are never written, at the top and one or two levels down. */
const SECRET_FIELDS = [
  'authorization',
  'cookie',
  'password',
  'secret',
  'token',
  'api_key',
  'apiKey',
  '["x-api-key"]',
  '["set-cookie"]',
];
const PLACES = ['', '*', '*.*'];
const REDACTED = PLACES.flatMap((place) =>
  SECRET_FIELDS.map((field) => (field.startsWith('[') || place === '' ? `${place}${field}` : `${place}.${field}`)),
);
/** Lines kept while the output cannot take them; what comes beyond is dropped. */
const MOST_BUFFERED = 1024 * 1024;

/**
 * A logger of JSON lines. `logger.child({ runId })` ties lines to a run. A full disk or a closed pipe loses lines and
 * never harms the process.
 */
export function createLogger(options: LoggerOptions): Logger {
  const output = pino.destination({ fd: options.fd ?? 1, sync: true, maxLength: MOST_BUFFERED });
  output.on('error', () => undefined);
  const mask = options.mask ?? ((line: string) => line);
  return pino(
    {
      name: options.name,
      level: options.level,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (level) => ({ level }) },
      redact: { paths: REDACTED, censor: '[masked]' },
      hooks: { streamWrite: (line) => mask(maskUrls(line)) },
    },
    output,
  );
}
