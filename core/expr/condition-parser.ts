import { didYouMean } from '../base/did-you-mean';
import { shorten } from '../base/shorten';
import { scanTokens, type Token } from './condition-lexer';
import { Cursor } from './cursor';
import { oursFor } from './foreign';
import { arity, functionNames } from './functions';
import { MAX_LENGTH } from './limits';
import { refused } from './scan';
import { scanReference } from './scan-reference';
import { TokenReader } from './token-reader';
import { placed } from './places';
import type { CompareOp, Expr, ParseResult } from './types';

/** Words with a meaning: they are no names. */
const KEYWORDS: ReadonlySet<string> = new Set([
  'and',
  'or',
  'not',
  'is',
  'defined',
  'in',
  'contains',
  'true',
  'false',
  'null',
]);
const LITERALS: ReadonlyMap<string, boolean | null> = new Map([
  ['true', true],
  ['false', false],
  ['null', null],
]);
const COMPARISONS: ReadonlySet<string> = new Set(['==', '!=', '<', '<=', '>', '>=']);
const NULL_WORDS: ReadonlySet<string> = new Set(['none', 'nil', 'undefined']);

/** Reads the cursor's text from its beginning to its end. */
export function parseExpression(cursor: Cursor): ParseResult<Expr> {
  const { text } = cursor;
  if (text.length > MAX_LENGTH) return refused(MAX_LENGTH, `An expression has at most ${MAX_LENGTH} characters.`);
  return new ExpressionParser(text, new TokenReader(scanTokens(cursor))).parse();
}

/**
 * Recursive descent, one method for each level of binding, loosest first. A method that meets an error
 * notes it (the first one counts) and gives undefined; nothing is thrown.
 */
class ExpressionParser {
  constructor(
    private readonly text: string,
    private readonly reader: TokenReader,
  ) {}

  parse(): ParseResult<Expr> {
    const expr = this.or();
    if (expr && !this.reader.complete) this.reader.unexpected('AND, OR or the end of the expression');
    if (expr && !this.reader.problem) return { ok: true, value: expr };
    return { ok: false, problem: this.reader.problem ?? refused(0, 'The expression cannot be read.').problem };
  }

  private or(): Expr | undefined {
    let left = this.and();
    while (left && this.reader.takeWord('or')) left = this.logic('or', left, this.and());
    return left;
  }

  private and(): Expr | undefined {
    let left = this.not();
    while (left && this.reader.takeWord('and')) left = this.logic('and', left, this.not());
    return left;
  }

  private logic(op: 'and' | 'or', left: Expr, right: Expr | undefined): Expr | undefined {
    return right && this.reader.counted({ kind: 'logic', op, left, right });
  }

  private not(): Expr | undefined {
    if (!this.reader.takeWord('not')) return this.comparison();
    return this.reader.nested(() => {
      const operand = this.not();
      return operand && this.reader.counted({ kind: 'not', operand });
    });
  }

  private comparison(): Expr | undefined {
    const left = this.sum();
    if (!left) return undefined;
    const compared = this.comparisonAfter(left);
    if (compared && compared !== left && this.startsComparison()) {
      return this.reader.fail('Comparisons cannot be chained.', 'Join two comparisons with AND.');
    }
    return compared;
  }

  private comparisonAfter(left: Expr): Expr | undefined {
    const { token } = this.reader;
    if (token.kind === 'symbol' && COMPARISONS.has(token.symbol)) {
      this.reader.next();
      const compared = this.compare(token.symbol as CompareOp, left);
      return compared && placed(compared, token.offset);
    }
    if (this.reader.takeWord('in')) return this.compare('in', left);
    if (this.reader.takeWord('contains')) return this.compare('contains', left);
    if (this.reader.takeWord('is')) return this.definedAfter(left);
    if (!this.reader.takeWord('not')) return left;
    if (this.reader.takeWord('in')) return this.negated(this.compare('in', left));
    if (this.reader.takeWord('contains')) return this.negated(this.compare('contains', left));
    return this.reader.unexpected('`in` or `contains` after `not`', 'NOT stands before what it negates: NOT {a.done}.');
  }

  private compare(op: CompareOp, left: Expr): Expr | undefined {
    const right = this.sum();
    return right && this.reader.counted({ kind: 'compare', op, left, right });
  }

  private negated(operand: Expr | undefined): Expr | undefined {
    return operand && this.reader.counted({ kind: 'not', operand });
  }

  private definedAfter(operand: Expr): Expr | undefined {
    const negated = this.reader.takeWord('not');
    if (this.reader.takeWord('defined')) return this.reader.counted({ kind: 'defined', operand, negated });
    const meant = negated ? 'is not defined' : 'is defined';
    return this.reader.unexpected('`defined`', `Write \`${meant}\`, or == and != to compare.`);
  }

  private startsComparison(): boolean {
    const { token } = this.reader;
    if (token.kind === 'symbol') return COMPARISONS.has(token.symbol);
    return token.kind === 'word' && ['in', 'contains', 'is', 'not'].includes(token.word);
  }

  private sum(): Expr | undefined {
    let left = this.product();
    for (;;) {
      const { offset } = this.reader.token;
      const op = left && this.reader.takeSymbol('+', '-');
      if (!left || !op) return left;
      left = this.arith(op as '+' | '-', left, this.product(), offset);
    }
  }

  private product(): Expr | undefined {
    let left = this.unary();
    for (;;) {
      const { offset } = this.reader.token;
      const op = left && this.reader.takeSymbol('*', '/');
      if (!left || !op) return left;
      left = this.arith(op as '*' | '/', left, this.unary(), offset);
    }
  }

  private arith(op: '+' | '-' | '*' | '/', left: Expr, right: Expr | undefined, offset: number): Expr | undefined {
    return right && this.reader.counted(placed({ kind: 'arith', op, left, right }, offset));
  }

  private unary(): Expr | undefined {
    if (!this.reader.takeSymbol('-')) return this.primary();
    return this.reader.nested(() => {
      const operand = this.unary();
      return operand && this.reader.counted({ kind: 'negate', operand });
    });
  }

  private primary(): Expr | undefined {
    const { token } = this.reader;
    if (token.kind === 'number' || token.kind === 'string') {
      this.reader.next();
      const { value } = token;
      const written = token.kind === 'number' ? token.written : undefined;
      return written === undefined ? { kind: 'literal', value } : { kind: 'literal', value, written };
    }
    if (token.kind === 'ref') {
      this.reader.next();
      return { kind: 'ref', ref: token.ref };
    }
    if (token.kind === 'word') return this.word(token);
    if (this.reader.takeSymbol('(')) return this.reader.nested(() => this.group(token.offset));
    if (this.reader.takeSymbol('[')) {
      const items = this.reader.nested(() => this.items(']', token.offset));
      return items && { kind: 'list', items };
    }
    return this.reader.unexpected('a value');
  }

  private group(opened: number): Expr | undefined {
    const inner = this.or();
    if (inner && !this.reader.takeSymbol(')')) return this.reader.unclosed(')', opened);
    return inner;
  }

  /** Values separated by commas up to `close`, whose opening bracket was taken. */
  private items(close: ')' | ']', opened: number): Expr[] | undefined {
    const items: Expr[] = [];
    if (this.reader.takeSymbol(close)) return items;
    do {
      const item = this.or();
      if (!item) return undefined;
      items.push(item);
    } while (this.reader.takeSymbol(','));
    return this.reader.takeSymbol(close) ? items : this.reader.unclosed(close, opened);
  }

  private word(token: Token & { kind: 'word' }): Expr | undefined {
    const literal = LITERALS.get(token.word);
    if (literal !== undefined) {
      this.reader.next();
      return { kind: 'literal', value: literal };
    }
    if (KEYWORDS.has(token.word) && !this.reader.isCall(functionNames())) return this.reader.unexpected('a value');
    this.reader.next();
    if (this.reader.takeSymbol('(')) return this.call(token);
    if (NULL_WORDS.has(token.word)) {
      return this.reader.failAt(
        token.offset,
        `\`${token.text}\` is not a value here.`,
        'Write null, or test with `is not defined`.',
      );
    }
    return this.bareName(token.offset);
  }

  /** A reference without its braces, or a text without quotes. */
  private bareName(offset: number): undefined {
    const reference = scanReference(new Cursor(this.text, offset));
    const hint = reference.ok
      ? `Write {${shorten(reference.value.text)}} for a value, or put text in quotes.`
      : 'Put text in quotes.';
    return this.reader.failAt(offset, 'A name outside quotes and braces means nothing here.', hint);
  }

  private call(token: Token & { kind: 'word' }): Expr | undefined {
    const count = arity(token.word);
    if (!count)
      return this.reader.failAt(token.offset, `There is no function \`${shorten(token.text)}\`.`, instead(token.word));
    const args = this.reader.nested(() => this.items(')', token.offset));
    if (!args) return undefined;
    if (args.length < count.min || args.length > count.max) {
      return this.reader.failAt(
        token.offset,
        `\`${token.word}\` takes ${count.text}, not ${args.length}.`,
        `Write ${count.example}.`,
      );
    }
    return placed({ kind: 'call', name: token.word, args }, token.offset);
  }
}

function instead(word: string): string {
  const ours = oursFor(word);
  const example = ours === undefined ? undefined : (arity(ours)?.example ?? ours);
  if (example !== undefined) return `Write ${example}.`;
  const near = didYouMean(word, functionNames());
  return near === undefined ? 'All functions are in docs/expressions.md.' : `Did you mean ${near}?`;
}
