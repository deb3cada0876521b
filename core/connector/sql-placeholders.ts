/** A `:name` or `$1` in an SQL text. */
export interface SqlPlaceholder {
  name: string;
  at: number;
  /** `$1` instead of `:name`. */
  numbered: boolean;
}

const NAME = /[A-Za-z_][A-Za-z0-9_]*/y;
const TAG = /\$(?:[A-Za-z_\u0080-\uffff][A-Za-z0-9_\u0080-\uffff]*)?\$/y;
const WORD = /[A-Za-z_\u0080-\uffff][A-Za-z0-9_$\u0080-\uffff]*/y;
const NUMBER = /\d+/y;

/** Placeholders outside strings, quoted names and comments, by PostgreSQL's lexical rules. `::` is a cast. Linear. */
export function sqlPlaceholders(sql: string): SqlPlaceholder[] {
  const found: SqlPlaceholder[] = [];
  for (let at = 0; at < sql.length;) {
    const end = endOfQuoted(sql, at);
    if (end !== undefined) {
      at = end;
      continue;
    }
    const placeholder = placeholderAt(sql, at);
    if (placeholder === undefined) {
      at += sql.startsWith('::', at) ? 2 : wordLength(sql, at);
    } else {
      found.push(placeholder);
      at += placeholder.name.length + 1;
    }
  }
  return found;
}

function placeholderAt(sql: string, at: number): SqlPlaceholder | undefined {
  const mark = sql[at];
  if (mark === ':' && !sql.startsWith('::', at)) {
    const name = matchAt(NAME, sql, at + 1);
    return name === undefined ? undefined : { name, at, numbered: false };
  }
  const number = mark === '$' ? matchAt(NUMBER, sql, at + 1) : undefined;
  return number === undefined ? undefined : { name: number, at, numbered: true };
}

/** A word is passed as a whole: the `$` of `a$1` belongs to it. */
function wordLength(sql: string, at: number): number {
  return matchAt(WORD, sql, at)?.length ?? 1;
}

/** End of the string, quoted name or comment that begins here. */
function endOfQuoted(sql: string, at: number): number | undefined {
  const first = sql[at];
  if (first === "'") return endOfQuotes(sql, at, { quote: "'", escapes: isEscapeString(sql, at) });
  if (first === '"') return endOfQuotes(sql, at, { quote: '"', escapes: false });
  if (sql.startsWith('--', at)) return after(sql.indexOf('\n', at), 1, sql);
  if (sql.startsWith('/*', at)) return endOfComment(sql, at);
  const tag = first === '$' ? matchAt(TAG, sql, at) : undefined;
  return tag === undefined ? undefined : after(sql.indexOf(tag, at + tag.length), tag.length, sql);
}

/** `E'...'`: a backslash hides the next character. */
function isEscapeString(sql: string, at: number): boolean {
  return /^[eE]$/.test(sql[at - 1] ?? '') && !/[A-Za-z0-9_$\u0080-\uffff]/.test(sql[at - 2] ?? '');
}

function endOfQuotes(sql: string, at: number, rule: { quote: string; escapes: boolean }): number {
  for (let index = at + 1; index < sql.length; index += 1) {
    if (rule.escapes && sql[index] === '\\') {
      index += 1;
    } else if (sql[index] === rule.quote) {
      if (sql[index + 1] !== rule.quote) return index + 1;
      index += 1;
    }
  }
  return sql.length;
}

/** Comments of PostgreSQL nest. */
function endOfComment(sql: string, at: number): number {
  let depth = 0;
  for (let index = at; index < sql.length; index += 1) {
    if (sql.startsWith('/*', index)) {
      depth += 1;
      index += 1;
    } else if (sql.startsWith('*/', index)) {
      depth -= 1;
      index += 1;
      if (depth === 0) return index + 1;
    }
  }
  return sql.length;
}

function after(found: number, length: number, sql: string): number {
  return found < 0 ? sql.length : found + length;
}

function matchAt(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0];
}
