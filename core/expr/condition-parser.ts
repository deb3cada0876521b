import { didYouMean } from '../base/did-you-mean';
import { bareReference, scanTokens, type Token } from './condition-lexer';
import { Cursor } from './cursor';
import { arity, functionNames } from './functions';
import { MAX_DEPTH, MAX_LENGTH, MAX_OPERATORS } from './limits';
import { refused } from './scan';
import type { CompareOp, Expr, ExprProblem, ParseResult } from './types';

/** Words with a meaning: they are no names. */
const KEYWORDS: ReadonlySet<string> = new Set(['and', 'or', 'not', 'is', 'defined', 'in', 'contains', 'true', 'false', 'null']);
const LITERALS: ReadonlyMap<string, boolean | null> = new Map([
  ['true', true],
  ['false', false],
  ['null', null],
]);
const COMPARISONS: ReadonlySet<string> = new Set(['==', '!=', '<', '<=', '>', '>=']);
const NULL_WORDS: ReadonlySet<string> = new Set(['none', 'nil', 'undefined']);

/** Work of one parse, for the test that proves linear time: characters and tokens that were passed. */
export interface ParseCost {
  steps: number;
}

export function parseExpression(text: string, cost: ParseCost = { steps: 0 }): ParseResult<Expr> {
  if (text.length > MAX_LENGTH) return refused(MAX_LENGTH, `An expression has at most ${MAX_LENGTH} characters.`);
  const cursor = new Cursor(text);
  const tokens = scanTokens(cursor);
  cost.steps = cursor.steps;
  if (!tokens.ok) return tokens;
  const parser = new ExpressionParser(text, tokens.value);
  const result = parser.parse();
  cost.steps += parser.steps;
  return result;
}

/**
 * Recursive descent, one method for each level of binding, loosest first. A method that meets an error
 * notes it (the first one counts) and gives undefined; nothing is thrown.
 */
class ExpressionParser {
  steps = 0;
  private index = 0;
  private depth = 0;
  private operators = 0;
  private problem: ExprProblem | undefined;

  constructor(
    private readonly text: string,
    private readonly tokens: readonly Token[],
  ) {}

  parse(): ParseResult<Expr> {
    const expr = this.or();
    if (expr && this.token.kind !== 'end') this.unexpected('AND, OR or the end of the expression');
    if (expr && !this.problem) return { ok: true, value: expr };
    return { ok: false, problem: this.problem ?? refused(0, 'The expression cannot be read.').problem };
  }

  private or(): Expr | undefined {
    let left = this.and();
    while (left && this.takeWord('or')) left = this.logic('or', left, this.and());
    return left;
  }

  private and(): Expr | undefined {
    let left = this.not();
    while (left && this.takeWord('and')) left = this.logic('and', left, this.not());
    return left;
  }

  private logic(op: 'and' | 'or', left: Expr, right: Expr | undefined): Expr | undefined {
    return right && this.counted({ kind: 'logic', op, left, right });
  }

  private not(): Expr | undefined {
    if (!this.takeWord('not')) return this.comparison();
    return this.nested(() => {
      const operand = this.not();
      return operand && this.counted({ kind: 'not', operand });
    });
  }

  private comparison(): Expr | undefined {
    const left = this.sum();
    if (!left) return undefined;
    const compared = this.comparisonAfter(left);
    if (compared && compared !== left && this.startsComparison()) {
      return this.fail('Comparisons cannot be chained.', 'Join two comparisons with AND.');
    }
    return compared;
  }

  private comparisonAfter(left: Expr): Expr | undefined {
    const { token } = this;
    if (token.kind === 'symbol' && COMPARISONS.has(token.symbol)) {
      this.next();
      return this.compare(token.symbol as CompareOp, left);
    }
    if (this.takeWord('in')) return this.compare('in', left);
    if (this.takeWord('contains')) return this.compare('contains', left);
    if (this.takeWord('is')) return this.definedAfter(left);
    if (!this.takeWord('not')) return left;
    if (this.takeWord('in')) return this.negated(this.compare('in', left));
    if (this.takeWord('contains')) return this.negated(this.compare('contains', left));
    return this.unexpected('`in` or `contains` after `not`', 'NOT stands before what it negates: NOT {a.done}.');
  }

  private compare(op: CompareOp, left: Expr): Expr | undefined {
    const right = this.sum();
    return right && this.counted({ kind: 'compare', op, left, right });
  }

  private negated(operand: Expr | undefined): Expr | undefined {
    return operand && this.counted({ kind: 'not', operand });
  }

  private definedAfter(operand: Expr): Expr | undefined {
    const negated = this.takeWord('not');
    if (this.takeWord('defined')) return this.counted({ kind: 'defined', operand, negated });
    const meant = negated ? 'is not defined' : 'is defined';
    return this.unexpected('`defined`', `Write \`${meant}\`, or == and != to compare.`);
  }

  private startsComparison(): boolean {
    const { token } = this;
    if (token.kind === 'symbol') return COMPARISONS.has(token.symbol);
    return token.kind === 'word' && ['in', 'contains', 'is', 'not'].includes(token.word);
  }

  private sum(): Expr | undefined {
    let left = this.product();
    for (let op = this.takeSymbol('+', '-'); left && op; op = this.takeSymbol('+', '-')) {
      left = this.arith(op as '+' | '-', left, this.product());
      if (!left) return undefined;
    }
    return left;
  }

  private product(): Expr | undefined {
    let left = this.unary();
    for (let op = this.takeSymbol('*', '/'); left && op; op = this.takeSymbol('*', '/')) {
      left = this.arith(op as '*' | '/', left, this.unary());
      if (!left) return undefined;
    }
    return left;
  }

  private arith(op: '+' | '-' | '*' | '/', left: Expr, right: Expr | undefined): Expr | undefined {
    return right && this.counted({ kind: 'arith', op, left, right });
  }

  private unary(): Expr | undefined {
    if (!this.takeSymbol('-')) return this.primary();
    return this.nested(() => {
      const operand = this.unary();
      return operand && this.counted({ kind: 'negate', operand });
    });
  }

  private primary(): Expr | undefined {
    const { token } = this;
    if (token.kind === 'number' || token.kind === 'string') {
      this.next();
      return { kind: 'literal', value: token.value };
    }
    if (token.kind === 'ref') {
      this.next();
      return { kind: 'ref', ref: token.ref };
    }
    if (token.kind === 'word') return this.word(token);
    if (this.takeSymbol('(')) return this.nested(() => this.group(token.offset));
    if (this.takeSymbol('[')) {
      const items = this.nested(() => this.items(']', token.offset));
      return items && { kind: 'list', items };
    }
    return this.unexpected('a value');
  }

  private group(opened: number): Expr | undefined {
    const inner = this.or();
    if (inner && !this.takeSymbol(')')) return this.unclosed(')', opened);
    return inner;
  }

  /** Values separated by commas up to `close`, whose opening bracket was taken. */
  private items(close: ')' | ']', opened: number): Expr[] | undefined {
    const items: Expr[] = [];
    if (this.takeSymbol(close)) return items;
    do {
      const item = this.or();
      if (!item) return undefined;
      items.push(item);
    } while (this.takeSymbol(','));
    return this.takeSymbol(close) ? items : this.unclosed(close, opened);
  }

  private word(token: Token & { kind: 'word' }): Expr | undefined {
    const literal = LITERALS.get(token.word);
    if (literal !== undefined) {
      this.next();
      return { kind: 'literal', value: literal };
    }
    if (KEYWORDS.has(token.word)) return this.unexpected('a value');
    this.next();
    if (this.takeSymbol('(')) return this.call(token);
    if (NULL_WORDS.has(token.word)) {
      return this.failAt(token.offset, `\`${token.text}\` is not a value here.`, 'Write null, or test with `is not defined`.');
    }
    this.problem ??= bareReference(this.text, token.offset).problem;
    return undefined;
  }

  private call(token: Token & { kind: 'word' }): Expr | undefined {
    const count = arity(token.word);
    if (!count) {
      const near = didYouMean(token.word, functionNames());
      const hint = near === undefined ? `Known functions: ${functionNames().join(', ')}.` : `Did you mean ${near}?`;
      return this.failAt(token.offset, `There is no function \`${token.text}\`.`, hint);
    }
    const args = this.nested(() => this.items(')', token.offset));
    if (!args) return undefined;
    if (args.length < count.min || args.length > count.max) {
      return this.failAt(token.offset, `\`${token.word}\` takes ${count.text}, not ${args.length}.`, `Write ${count.example}.`);
    }
    return { kind: 'call', name: token.word, args };
  }

  private get token(): Token {
    return this.tokens[this.index] ?? { kind: 'end', offset: this.text.length };
  }

  private next(): void {
    this.index++;
    this.steps++;
  }

  private takeWord(word: string): boolean {
    const { token } = this;
    if (token.kind !== 'word' || token.word !== word) return false;
    this.next();
    return true;
  }

  private takeSymbol(...symbols: string[]): string | undefined {
    const { token } = this;
    if (token.kind !== 'symbol' || !symbols.includes(token.symbol)) return undefined;
    this.next();
    return token.symbol;
  }

  private nested<T>(parse: () => T | undefined): T | undefined {
    if (this.depth === MAX_DEPTH) {
      return this.fail(`An expression is nested at most ${MAX_DEPTH} levels deep.`);
    }
    this.depth++;
    const result = parse();
    this.depth--;
    return result;
  }

  private counted(expr: Expr): Expr | undefined {
    this.operators++;
    if (this.operators <= MAX_OPERATORS) return expr;
    return this.fail(`An expression has at most ${MAX_OPERATORS} operators.`, 'Use `in` with a list for many alternatives.');
  }

  private unclosed(close: string, opened: number): undefined {
    if (this.token.kind !== 'end') return this.unexpected(`, or ${close}`);
    return this.failAt(opened, `This is never closed: ${close} is missing.`);
  }

  private unexpected(expected: string, suggestion?: string): undefined {
    return this.fail(`Expected ${expected}, found ${describe(this.token)}.`, suggestion);
  }

  private fail(message: string, suggestion?: string): undefined {
    return this.failAt(this.token.offset, message, suggestion);
  }

  private failAt(offset: number, message: string, suggestion?: string): undefined {
    this.problem ??= refused(offset, message, suggestion).problem;
    return undefined;
  }
}

function describe(token: Token): string {
  switch (token.kind) {
    case 'end':
      return 'the end of the expression';
    case 'number':
      return 'a number';
    case 'string':
      return 'a text';
    case 'ref':
      return `{${token.ref.text.length > 60 ? `${token.ref.text.slice(0, 60)}…` : token.ref.text}}`;
    case 'word':
      return `\`${token.text.slice(0, 60)}\``;
    case 'symbol':
      return `\`${token.symbol}\``;
  }
}
