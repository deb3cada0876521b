import { type GraphqlFault, type Token, tokenize } from './graphql-tokens';

/** Facts about a GraphQL text that a connector needs (October 2021 specification, section 2). */
export interface GraphqlText {
  operation: 'query' | 'mutation';
  variables: { name: string; required: boolean; at: number }[];
}

const MAX_DEPTH = 100;

/**
 * Reads the one operation of the text, or says what is wrong and where. Linear, and no deeper than `MAX_DEPTH`: the parser of
 * the `graphql` package calls itself for each level of a text.
 */
export function readGraphql(text: string): GraphqlText | GraphqlFault {
  const tokens = tokenize(text);
  return Array.isArray(tokens) ? new Reader(tokens, text.length).document() : tokens;
}

export function isGraphqlFault(read: GraphqlText | GraphqlFault): read is GraphqlFault {
  return 'message' in read;
}

class Reader {
  private index = 0;
  private operation: GraphqlText | undefined;
  private readonly uses: Token[] = [];

  constructor(
    private readonly tokens: readonly Token[],
    private readonly length: number,
  ) {}

  document(): GraphqlText | GraphqlFault {
    while (this.index < this.tokens.length) {
      const fault = this.definition();
      if (fault !== undefined) return fault;
    }
    if (this.operation === undefined) {
      return { message: 'The text has no operation; write `query { ... }`.', at: 0 };
    }
    const declared = new Set(this.operation.variables.map((variable) => variable.name));
    const unknown = this.uses.find((use) => !declared.has(use.text));
    return unknown === undefined
      ? this.operation
      : { message: `The text uses \`$${unknown.text}\`, but its operation does not declare it.`, at: unknown.at };
  }

  private definition(): GraphqlFault | undefined {
    const start = this.tokens[this.index];
    if (start === undefined) return undefined;
    if (start.text === 'fragment' && start.kind === 'name') return this.toSelection();
    if (start.text === '{') return this.keep(start, 'query', []) ?? this.selection();
    if (start.kind === 'name' && (start.text === 'query' || start.text === 'mutation')) {
      return this.named(start, start.text);
    }
    const message =
      start.text === 'subscription'
        ? 'A subscription has no single answer; a connector carries out queries and mutations.'
        : 'Expected `query`, `mutation`, `fragment` or `{` here.';
    return { message, at: start.at };
  }

  private named(start: Token, operation: GraphqlText['operation']): GraphqlFault | undefined {
    this.index += 1;
    if (this.tokens[this.index]?.kind === 'name') this.index += 1;
    const variables: GraphqlText['variables'] = [];
    if (this.tokens[this.index]?.text === '(') {
      const fault = this.variables(variables);
      if (fault !== undefined) return fault;
    }
    return this.keep(start, operation, variables) ?? this.toSelection();
  }

  private keep(
    at: Token,
    operation: GraphqlText['operation'],
    variables: GraphqlText['variables'],
  ): GraphqlFault | undefined {
    if (this.operation !== undefined) {
      return {
        message: 'An endpoint carries out one operation; make the second one an endpoint of its own.',
        at: at.at,
      };
    }
    this.operation = { operation, variables };
    return undefined;
  }

  /** `($name: Type! = value @directive, ...)`. */
  private variables(into: GraphqlText['variables']): GraphqlFault | undefined {
    this.index += 1;
    while (this.tokens[this.index] !== undefined && this.tokens[this.index]?.text !== ')') {
      const mark = this.tokens[this.index];
      const name = this.tokens[this.index + 1];
      if (mark?.text !== '$' || name?.kind !== 'name' || this.tokens[this.index + 2]?.text !== ':') {
        return { message: 'A variable is written `$name: Type`.', at: mark?.at ?? this.length };
      }
      this.index += 3;
      into.push({ name: name.text, required: this.typeIsRequired(), at: name.at });
    }
    return this.expect(')');
  }

  /** Passes a type and what follows it up to the next variable; true when a value must be given. */
  private typeIsRequired(): boolean {
    let depth = 0;
    let required = false;
    let hasDefault = false;
    let isOver = false;
    for (; this.index < this.tokens.length; this.index += 1) {
      const { text } = this.tokens[this.index] ?? { text: '' };
      if (depth === 0 && (text === ')' || text === '$')) break;
      if ('([{'.includes(text) && text !== '') depth += 1;
      else if (')]}'.includes(text) && text !== '') depth -= 1;
      if (depth === 0 && (text === '=' || text === '@')) {
        hasDefault ||= text === '=';
        isOver = true;
      } else if (!isOver) required = text === '!';
    }
    return required && !hasDefault;
  }

  /** Name, type condition and directives are the source's to check. */
  private toSelection(): GraphqlFault | undefined {
    while (this.index < this.tokens.length && this.tokens[this.index]?.text !== '{') {
      this.note();
      this.index += 1;
    }
    return this.selection();
  }

  private selection(): GraphqlFault | undefined {
    const fault = this.expect('{');
    if (fault !== undefined) return fault;
    let depth = 1;
    for (; depth > 0 && this.index < this.tokens.length; this.index += 1) {
      const token = this.tokens[this.index];
      this.note();
      if (token?.text === '{') depth += 1;
      else if (token?.text === '}') depth -= 1;
      if (depth > MAX_DEPTH) {
        return { message: `Selections may be nested at most ${MAX_DEPTH} deep.`, at: token?.at ?? 0 };
      }
    }
    return depth === 0 ? undefined : { message: 'A `{` is never closed.', at: this.length };
  }

  private note(): void {
    const name = this.tokens[this.index + 1];
    if (this.tokens[this.index]?.text === '$' && name?.kind === 'name') this.uses.push(name);
  }

  private expect(text: string): GraphqlFault | undefined {
    const token = this.tokens[this.index];
    if (token?.text === text) {
      this.index += 1;
      return undefined;
    }
    return { message: `Expected \`${text}\` here.`, at: token?.at ?? this.length };
  }
}
