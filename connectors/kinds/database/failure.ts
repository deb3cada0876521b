import { shorten } from '../../../core/base/shorten';
import { AppError } from '../../../core/errors/app-error';
import type { JsonObject } from '../../../core/base/json';
import type { Mask } from '../../../infra/secrets/mask';
import { RowTooLarge } from './portal';
import { placeIn, SqlFault } from './sql-fault';
import { utf16At } from './statement';
import type { Statement } from './statement';
import { WireLimitError } from './wire-meter';

interface ServerError {
  message: string;
  code: string;
  position?: string;
  hint?: string;
}
type Meaning = Pick<AppError, 'code' | 'category' | 'retryable'>;

/** Meanings by class or code of the SQL standard and PostgreSQL; the first match counts. */
const MEANINGS: readonly (readonly [RegExp, Meaning])[] = [
  [/^28/, { code: 'auth_failed', category: 'upstream', retryable: false }],
  [/^57014$/, { code: 'upstream_timeout', category: 'timeout', retryable: true }],
  [/^(55P03|40)/, { code: 'upstream_unavailable', category: 'upstream', retryable: true }],
  [/^(08|53|57P|58|XX)/, { code: 'upstream_unavailable', category: 'upstream', retryable: true }],
  [/^25006$/, { code: 'sql_refused', category: 'forbidden', retryable: false }],
  [/^(3D|42501)/, { code: 'upstream_rejected', category: 'upstream', retryable: false }],
  [/^(22|21)/, { code: 'upstream_rejected', category: 'bad_request', retryable: false }],
  [/^42|^0A|^3F/, { code: 'invalid_sql', category: 'bad_request', retryable: false }],
];
const OTHER: Meaning = { code: 'upstream_rejected', category: 'upstream', retryable: false };
/** "Give the parameter a type" is all that helps there, and the message does not say how. */
const UNTYPED = new Set(['42P18', '42P08', '42804', '42883']);

export interface FailureContext {
  /** Host and port, for people. */
  place: string;
  /** True if the caller must not learn the place. */
  hidden?: boolean;
  mask: Mask;
  statement?: Statement;
  signal: AbortSignal;
  timedOut: boolean;
}

/**
 * Failure of a call for its caller. The driver's error itself goes no further: it holds the address and could be taken
 * for one of our own database.
 */
export function toCallError(error: unknown, context: FailureContext): unknown {
  if (error instanceof AppError) return context.hidden === true ? placeless(error) : error;
  if (error instanceof WireLimitError) return flooded(error, context.place);
  if (context.timedOut) return timeout(context.place);
  if (context.signal.aborted) return context.signal.reason;
  if (error instanceof SqlFault) return refusedSql(error, context.statement?.source);
  if (error instanceof RowTooLarge) {
    return new AppError(
      'response_too_large',
      `One row of ${context.place} is larger than \`max_bytes\` allows. Select less of it.`,
      { category: 'too_large' },
    );
  }
  if (isServerError(error)) return fromServer(error, context);
  return unreachable(error, context.place);
}

/** Messages without host, port, role and database, for people who must not learn them. */
const PLACELESS: Readonly<Record<string, string>> = {
  egress_denied:
    'The database of this connector has an address that nothing may be sent to from here. The person who shares the profile sees the address, and can ask an operator to allow it.',
  egress_proxy_refused: 'The proxy of EGRESS_PROXY does not let this connector through to its database.',
  role_too_powerful:
    'The role with which this connector reads its database may do more than read. The person who shares the profile sees what, and can give it a role that only reads.',
  upstream_timeout: 'The database of this connector did not answer in time.',
  upstream_unavailable: 'The database of this connector cannot be reached.',
};

function placeless(error: AppError): AppError {
  const { code, category, retryable } = error;
  const message = Object.hasOwn(PLACELESS, code) ? PLACELESS[code] : undefined;
  return message === undefined ? error : new AppError(code, message, { category, retryable });
}

/** A failure of the encryption is permanent, other failures of the connection are transient. */
function unreachable(error: unknown, place: string): AppError {
  const { code, message } = error instanceof Error ? (error as { code?: unknown; message: string }) : { message: '' };
  const name = typeof code === 'string' ? code : '';
  if (message.includes('does not support SSL')) {
    return untrusted(
      `${place} offers no encryption. If the way to it is safe, write \`?sslmode=disable\` into the address.`,
    );
  }
  if (/CERT|SSL|TLS|VERIFY/.test(name)) return untrusted(`The certificate of ${place} cannot be trusted (${name}).`);
  return new AppError('upstream_unavailable', `${place} cannot be reached${name === '' ? '' : ` (${name})`}.`, {
    category: 'upstream',
    retryable: true,
  });
}

function flooded({ limit }: WireLimitError, place: string): AppError {
  return new AppError(
    'response_too_large',
    `${place} sent more than ${limit} bytes, beyond all that a PostgreSQL server says for this call; the connection was cut. See that the address leads to the database that is meant.`,
    { category: 'too_large', details: { max_bytes: limit } },
  );
}

function untrusted(message: string): AppError {
  return new AppError('upstream_rejected', message, { category: 'upstream' });
}

/** A statement that its text alone condemns. */
export function refusedSql(fault: SqlFault, source = ''): AppError {
  const place = placeIn(source, fault.at);
  return new AppError('invalid_sql', `${fault.message} (line ${place.line}, column ${place.column} of the statement)`, {
    category: 'validation',
    details: { ...place },
  });
}

function fromServer(error: ServerError, context: FailureContext): AppError {
  const meaning = MEANINGS.find(([pattern]) => pattern.test(error.code))?.[1] ?? OTHER;
  if (meaning.code === 'upstream_timeout') return timeout(context.place);
  const details: JsonObject = { sqlstate: error.code };
  let where = '';
  if (error.position !== undefined && context.statement !== undefined) {
    const { statement } = context;
    const at = statement.sourceAt(utf16At(statement.text, Number(error.position) - 1));
    const place = placeIn(statement.source, at);
    Object.assign(details, place);
    where = ` (line ${place.line}, column ${place.column} of the statement)`;
  }
  const hint = UNTYPED.has(error.code)
    ? ' Where a parameter has no type of its own, write it like `:since::date`.'
    : '';
  const said = sayable(error, context);
  return new AppError(meaning.code, `${context.place} answered: ${said}${where}.${hint}`, {
    category: meaning.category,
    retryable: meaning.retryable,
    details,
  });
}

/** Failures of the session: their words name host, database and role. */
const OF_THE_SESSION = /^(08|28|3D|53|57P)/;

function sayable(error: ServerError, { mask, hidden }: FailureContext): string {
  if (hidden === true && OF_THE_SESSION.test(error.code)) return `SQLSTATE ${error.code}`;
  return shorten(mask.text(error.message), 500);
}

/** Failures of one statement beside others: the database itself is well. */
const AMONG_STATEMENTS = /^(40|55P03)/;

/** Health of the database after a failure: ill, or answered. */
export function sourceHealthOf(error: unknown): 'ill' | 'answered' | 'unknown' {
  if (!(error instanceof AppError)) return 'unknown';
  const state = error.details['sqlstate'];
  if (typeof state === 'string' && AMONG_STATEMENTS.test(state)) return 'answered';
  if (error.code === 'upstream_unavailable' || error.code === 'upstream_timeout') return 'ill';
  return state === undefined ? 'unknown' : 'answered';
}

function timeout(place: string): AppError {
  return new AppError('upstream_timeout', `${place} did not answer in time.`, { category: 'timeout', retryable: true });
}

function isServerError(error: unknown): error is ServerError {
  if (!(error instanceof Error)) return false;
  const { code } = error as { code?: unknown };
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) && 'severity' in error;
}
