import type { ExpressionChecks } from '../checks';
import { type Fields, nearestName, safeRecord } from '../fields';
import { MAX_QUERY, ROW_BYTES, ROWS, TIMEOUT } from '../limits';
import { readEndpointCommon } from '../mapping';
import { PLAIN_NAME } from '../patterns';
import { sqlPlaceholders } from '../sql-placeholders';
import type { DatabaseConnection, DatabaseEndpoint, Parameter, SecretHandle } from '../types';
import { readSecret } from './auth';
import { readRateLimit } from './http-connection';
import { readParameters } from './rest-parameters';
import type { TypeReader } from './type-reader';

export const DRIVERS = ['postgresql'] as const;
/** Spellings of other products; the address of the secret says all of it. */
const PARTS = ['host', 'port', 'database', 'user', 'password'];

export const readDatabase: TypeReader = ({ common, top, connection, endpoints, checks }) => {
  if (connection === undefined) {
    top.report.add(top.at('connection'), 'missing_field', 'A database connector needs `connection` with `auth`.');
    return undefined;
  }
  return {
    ...common,
    type: 'database',
    connection: readConnection(connection),
    endpoints: safeRecord(endpoints.map(({ name, fields }) => [name, readEndpoint(fields, checks)])),
  };
};

function readConnection(fields: Fields): DatabaseConnection {
  const driver = fields.choice('driver', DRIVERS) ?? 'postgresql';
  refuseParts(fields);
  readReadOnly(fields);
  const rateLimit = readRateLimit(fields);
  const connection: DatabaseConnection = {
    driver,
    auth: { type: 'connection_string', secret: readConnectionString(fields) },
    timeout_seconds: fields.integer('timeout_seconds', TIMEOUT),
    ...(rateLimit === undefined ? {} : { rate_limit: rateLimit }),
  };
  fields.done();
  return connection;
}

function readConnectionString(fields: Fields): SecretHandle {
  const auth = fields.child('auth');
  if (auth === undefined) {
    if (!fields.has('auth')) {
      fields.report.add(fields.path, 'missing_field', '`auth` is missing.', {
        suggestion:
          'Add `auth: {type: connection_string, secret: {secret: NAME}}`; its value is a `postgresql://` address.',
      });
    }
    return { secret: '' };
  }
  auth.choice('type', ['connection_string'] as const, { required: true });
  const secret = readSecret(auth);
  auth.done();
  return secret;
}

function refuseParts(fields: Fields): void {
  const suggestion = 'Store `postgresql://user:password@host:port/database` as a secret and name it in `auth`.';
  for (const name of PARTS) {
    fields.refuse(name, `\`${name}\` cannot be given apart: the whole address is one secret.`, suggestion);
  }
}

/** Connections are read-only and single, whatever is written. */
function readReadOnly(fields: Fields): void {
  if (fields.flag('read_only') === false) {
    fields.report.add(fields.at('read_only'), 'not_allowed', 'A database connector only reads.', {
      suggestion: 'Remove `read_only`; changes belong into an action with an approval.',
    });
  }
  if (fields.integer('pool_size', { min: 1, max: 1000 }) !== undefined) {
    const message = '`pool_size` has no effect: each call opens its own connection and discards it.';
    fields.report.add(fields.at('pool_size'), 'ignored_field', message, { severity: 'warning', at: 'key' });
  }
}

const FREE: Parameter[] = [
  { name: 'sql', in: 'body', type: 'string', description: 'One reading statement', required: true },
  { name: 'params', in: 'body', type: 'object', description: 'Values for `:name` in it', required: false },
];

function readEndpoint(fields: Fields, checks: ExpressionChecks): DatabaseEndpoint {
  fields.choice('type', ['sql'] as const);
  const sql = readSql(fields, checks);
  const free = fields.flag('free_sql') ?? false;
  const declared = readParameters(fields, 'parameters', {
    places: ['body'],
    fallback: 'body',
    name: PLAIN_NAME,
    canSendNull: () => true,
  });
  const common = readEndpointCommon(fields);
  const maxRows = fields.integer('max_rows', ROWS);
  const maxBytes = fields.integer('max_bytes', ROW_BYTES);
  fields.done();
  checkFree(fields, { free, declared });
  if (sql !== undefined && !free) {
    checkPlaceholders(fields, sql, declared);
  }
  return {
    ...common,
    ...(sql === undefined ? {} : { sql }),
    free_sql: free,
    parameters: free ? FREE.map((own) => declared.find(({ name }) => name === own.name) ?? own) : declared,
    max_rows: maxRows,
    max_bytes: maxBytes,
  };
}

function readSql(fields: Fields, checks: ExpressionChecks): string | undefined {
  const sql = fields.text('sql', { max: MAX_QUERY });
  const fault = sql === undefined ? undefined : checks.sql?.(sql);
  if (typeof fault === 'string') {
    fields.report.add(fields.at('sql'), 'invalid_sql', fault);
  } else if (fault !== undefined) {
    fields.report.addInside(fields.at('sql'), fault.at, { code: 'invalid_sql', message: fault.message });
  }
  return sql;
}

/** Either the definition holds the statement, or it says that callers bring it. */
function checkFree(fields: Fields, { free, declared }: { free: boolean; declared: Parameter[] }): void {
  if (free && fields.has('sql')) {
    fields.report.add(fields.at('sql'), 'invalid_value', 'With `free_sql: true` the caller gives the statement.', {
      at: 'key',
    });
  }
  if (!free && !fields.has('sql')) {
    fields.report.add(fields.path, 'missing_field', 'The endpoint needs `sql`, one reading statement.', {
      suggestion: 'Write `sql:` with `:name` for each parameter, or `free_sql: true` to let callers write statements.',
    });
  }
  const names = FREE.map((own) => own.name);
  declared.forEach((parameter, index) => {
    const known = FREE.find((own) => own.name === parameter.name);
    if (free && parameter.name !== '' && parameter.type !== known?.type) {
      const message = 'With `free_sql: true` the parameters are `sql` (string) and `params` (object).';
      const at = [...fields.at('parameters'), index];
      fields.report.add(at, 'invalid_value', message, nearestName(parameter.name, names));
    }
  });
}

function checkPlaceholders(fields: Fields, sql: string, parameters: readonly Parameter[]): void {
  const names = parameters.map((parameter) => parameter.name);
  const declared = new Set(names);
  const placeholders = sqlPlaceholders(sql);
  for (const { name, at, numbered } of placeholders) {
    if (fields.report.isFull) {
      return;
    }
    if (numbered || !declared.has(name)) {
      const message = numbered
        ? `\`$${name}\` has no name; write \`:name\` and declare a parameter of that name.`
        : `The statement uses \`:${name}\`, but no parameter of that name is declared.`;
      fields.report.addInside(fields.at('sql'), at, {
        code: 'unknown_reference',
        message,
        ...nearestName(name, names),
      });
    }
  }
  const used = new Set(placeholders.map((placeholder) => placeholder.name));
  for (const [index, name] of names.entries()) {
    if (name !== '' && !used.has(name)) {
      const message = `The statement does not use \`:${name}\`.`;
      fields.report.add([...fields.at('parameters'), index, 'name'], 'unknown_reference', message);
    }
  }
}
