import { badInput } from '../../call/bad-input';
import type { Json, JsonObject } from '../../../core/base/json';
import { isJsonObject, ownField } from '../../../core/base/json';
import type { DatabaseEndpoint } from '../../../core/connector/types';
import { boundValues } from '../../call/bound-values';
import { refusedSql } from './failure';
import { SqlFault } from './sql-fault';
import { readStatement } from './statement';
import type { Statement } from './statement';
import { encodeValue } from './values';

/** Statement of one call, with a value for each of its parameters. */
export interface BoundStatement {
  statement: Statement;
  values: (string | null)[];
}

export function bindStatement(endpoint: DatabaseEndpoint, inputs: JsonObject): BoundStatement {
  const bound = boundValues(endpoint.parameters, inputs, () => true);
  const given = new Map([...bound].map(([parameter, value]) => [parameter.name, value]));
  return endpoint.free_sql ? freeQuestion(given) : fixedQuestion(endpoint, given);
}

function fixedQuestion(endpoint: DatabaseEndpoint, given: ReadonlyMap<string, Json>): BoundStatement {
  const statement = read(endpoint.sql ?? '');
  const declared = endpoint.parameters.map((parameter) => parameter.name);
  const unknown = statement.names.find((name) => !declared.includes(name));
  if (unknown !== undefined) {
    throw badInput(`The statement uses \`:${unknown}\`, but the endpoint declares no parameter of that name.`);
  }
  return { statement, values: statement.names.map((name) => encodeValue(given.get(name))) };
}

/** The caller brings the statement; it meets the same rules. */
function freeQuestion(inputs: ReadonlyMap<string, Json>): BoundStatement {
  const sql = inputs.get('sql');
  const params = inputs.get('params') ?? {};
  const statement = read(typeof sql === 'string' ? sql : '');
  const given = isJsonObject(params) ? params : {};
  const missing = statement.names.filter((name) => ownField(given, name) === undefined);
  if (missing.length > 0) throw badInput(`\`params\` has no value for ${missing.join(', ')}.`);
  const unused = Object.keys(given).filter((name) => !statement.names.includes(name));
  if (unused.length > 0) throw badInput(`The statement does not use ${unused.join(', ')}.`);
  return { statement, values: statement.names.map((name) => encodeValue(ownField(given, name) as Json)) };
}

function read(sql: string): Statement {
  try {
    return readStatement(sql);
  } catch (error) {
    throw error instanceof SqlFault ? refusedSql(error, sql) : error;
  }
}
