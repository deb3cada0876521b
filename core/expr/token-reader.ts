import { shorten } from '../base/shorten';
import type { Token } from './condition-lexer';
import { MAX_DEPTH, MAX_OPERATORS } from './limits';
import { refused } from './scan';
import type { Expr, ExprProblem } from './types';

/**
 * Position of the parser in its tokens, the nesting that is left, and the first problem. Every `fail...` notes a
 * problem and gives undefined, so a parser method can return it at once.
 */
export class TokenReader {
  problem: ExprProblem | undefined;
  private index = 0;
  private depth = 0;
  private operators = 0;

  constructor(private readonly tokens: readonly Token[]) {}

  /** The scanner closes every list with an `end` token, which is never passed. */
  get token(): Token {
    return this.tokens[Math.min(this.index, this.tokens.length - 1)] ?? { kind: 'end', offset: 0 };
  }

  /** True when the whole text was passed. */
  get complete(): boolean {
    return this.token.kind === 'end' && this.token.problem === undefined;
  }

  next(): void {
    this.index++;
  }

  /** A word that is also an operator names a function where a parenthesis follows: `contains({a}, 'x')`. */
  isCall(functions: readonly string[]): boolean {
    const [word, next] = [this.token, this.tokens[this.index + 1]];
    return word.kind === 'word' && functions.includes(word.word) && next?.kind === 'symbol' && next.symbol === '(';
  }

  takeWord(word: string): boolean {
    const { token } = this;
    if (token.kind !== 'word' || token.word !== word) return false;
    this.next();
    return true;
  }

  takeSymbol(...symbols: string[]): string | undefined {
    const { token } = this;
    if (token.kind !== 'symbol' || !symbols.includes(token.symbol)) return undefined;
    this.next();
    return token.symbol;
  }

  nested<T>(parse: () => T | undefined): T | undefined {
    if (this.depth === MAX_DEPTH) {
      return this.fail(`An expression is nested at most ${MAX_DEPTH} levels deep.`);
    }
    this.depth++;
    const result = parse();
    this.depth--;
    return result;
  }

  counted(expr: Expr): Expr | undefined {
    this.operators++;
    if (this.operators <= MAX_OPERATORS) return expr;
    return this.fail(
      `An expression has at most ${MAX_OPERATORS} operators.`,
      'Use `in` with a list for many alternatives.',
    );
  }

  unclosed(close: string, opened: number): undefined {
    if (!this.complete) return this.unexpected(`, or ${close}`);
    return this.failAt(opened, `This is never closed: ${close} is missing.`);
  }

  unexpected(expected: string, suggestion?: string): undefined {
    return this.fail(`Expected ${expected}, found ${describe(this.token)}.`, suggestion);
  }

  /** A problem at the current token; where the text cannot be read, that is the problem. */
  fail(message: string, suggestion?: string): undefined {
    const { token } = this;
    if (token.kind === 'end') this.problem ??= token.problem;
    return this.failAt(token.offset, message, suggestion);
  }

  failAt(offset: number, message: string, suggestion?: string): undefined {
    this.problem ??= refused(offset, message, suggestion).problem;
    return undefined;
  }
}

function describe(token: Token): string {
  switch (token.kind) {
    case 'number':
      return 'a number';
    case 'string':
      return 'a text';
    case 'ref':
      return `{${shorten(token.ref.text)}}`;
    case 'word':
      return `\`${shorten(token.text)}\``;
    case 'symbol':
      return `\`${token.symbol}\``;
    default:
      return 'the end of the expression';
  }
}
