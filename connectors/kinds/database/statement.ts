import type { ExpressionFault } from '../../../core/connector/checks';
import { parseTree, SyntaxFault } from './grammar';
import { positionalSql } from './named-parameters';
import type { PositionalSql } from './named-parameters';
import { placeIn, SqlFault } from './sql-fault';
import { statementFacts, StatementRuleError } from './statement-rules';
import type { StatementFacts } from './statement-rules';

/** One statement that only reads, as far as its text can tell. */
export interface Statement {
  /** Text as the author wrote it. */
  source: string;
  /** Text for PostgreSQL, with `$1` for each name. */
  text: string;
  /** Names of the parameters in the order of their numbers. */
  names: string[];
  facts: StatementFacts;
  /** The author's character for a character of `text`. */
  sourceAt(at: number): number;
}

const MAX_LENGTH = 100_000;
const CONTROL = /[^\P{Cc}\t\n\r]/u;

/** Reads a statement by PostgreSQL's own grammar. Throws SqlFault. */
export function readStatement(source: string): Statement {
  if (source.length > MAX_LENGTH) throw new SqlFault(`A statement has at most ${MAX_LENGTH} characters.`, MAX_LENGTH);
  // The text ends at a NUL for PostgreSQL, so what is checked would not be what is sent.
  const control = CONTROL.exec(source);
  if (control !== null) throw new SqlFault('A control character stands in the statement.', control.index);
  const sql = positionalSql(source);
  try {
    const facts = statementFacts(onlyStatement(sql));
    requireMarkers(sql, facts);
    return { source, text: sql.text, names: sql.names, facts, sourceAt: (at) => sql.sourceAt(at) };
  } catch (error) {
    if (error instanceof StatementRuleError)
      throw new SqlFault(error.message, sql.sourceAt(charAt(sql.text, error.at)));
    if (error instanceof SyntaxFault) throw new SqlFault(error.message, sql.sourceAt(utf16At(sql.text, error.at)));
    throw error;
  }
}

/** Describes a fault of the `sql` of an endpoint, for the reader of definitions. */
export function sqlFault(source: string): ExpressionFault | undefined {
  try {
    readStatement(source);
    return undefined;
  } catch (error) {
    if (!(error instanceof SqlFault)) throw error;
    const { line, column } = placeIn(source, error.at);
    return { message: `${error.message} (line ${line}, column ${column} of the statement)`, at: error.at };
  }
}

/**
 * Names of an expression that the target itself evaluates, by the same rules. Throws StatementRuleError and
 * SyntaxFault.
 */
export function expressionFacts(text: string): StatementFacts {
  return statementFacts(parseTree(`select ${text}`)[0]?.statement);
}

function onlyStatement(sql: PositionalSql): unknown {
  const statements = parseTree(sql.text);
  const [first, second] = statements;
  if (first === undefined) throw new StatementRuleError('There is no statement.', 0);
  if (second !== undefined) {
    throw new StatementRuleError('There is more than one statement; a connector carries out exactly one.', second.at);
  }
  return first.statement;
}

/** Every `:name` is a parameter for PostgreSQL too, and nothing else is one. */
function requireMarkers(sql: PositionalSql, facts: StatementFacts): void {
  const wanted = new Map(sql.markers.map((marker) => [Buffer.byteLength(sql.text.slice(0, marker.at)), marker.number]));
  for (const [at, number] of facts.parameters) {
    if (wanted.get(at) !== number) {
      throw new StatementRuleError('Parameters are written `:name`, not `$1`.', at);
    }
  }
  for (const [at, number] of wanted) {
    if (!facts.parameters.has(at)) {
      throw new StatementRuleError(
        `\`:${sql.names[number - 1] ?? ''}\` is no parameter here; put a space before it.`,
        at,
      );
    }
  }
}

/** UTF-16 index of a byte. */
function charAt(text: string, byte: number): number {
  return byte <= 0 ? 0 : Buffer.from(text).subarray(0, byte).toString('utf8').length;
}

/** UTF-16 index of the n-th character, as PostgreSQL counts them. */
export function utf16At(text: string, character: number): number {
  let at = 0;
  for (let left = character; left > 0 && at < text.length; left -= 1) {
    at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
  }
  return at;
}
