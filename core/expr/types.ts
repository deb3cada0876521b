import type { Json } from '../base/json';

/**
 * Part of the replay-sensitive zone: workflow code evaluates these.
 * A reference is `root` followed by a path: `{pull.results[0].name}`, `{pull.results[*].name}`.
 */
export type PathSegment =
  { kind: 'field'; name: string } | { kind: 'index'; /** Negative: from the end. */ index: number } | { kind: 'each' };

export interface Reference {
  root: string;
  path: PathSegment[];
  /** Canonical text without braces: `pull.results[0].name`. Two equal references have equal text. */
  text: string;
  /** Offset of the reference in the text that was parsed, 0-based. */
  offset: number;
}

/** A string of a playbook: a whole-string reference keeps its type, a mixed one renders to text. */
export type Template =
  | { kind: 'literal'; text: string }
  | { kind: 'whole'; ref: Reference }
  | { kind: 'text'; parts: (string | Reference)[] };

/** Value of a reference; `undefined` = not defined (a skipped step, a missing field, an input not given). */
export type Lookup = (ref: Reference) => Json | undefined;

export interface ExprProblem {
  code: 'invalid_expression';
  message: string;
  /** 0-based offset in the parsed text. */
  offset: number;
  suggestion?: string;
}

export type ParseResult<T> = { ok: true; value: T } | { ok: false; problem: ExprProblem };

export type CompareOp = '==' | '!=' | '<' | '<=' | '>' | '>=' | 'in' | 'contains';

export type Expr =
  | { kind: 'literal'; value: Json; /** Of a number that a double does not hold. */ written?: string }
  | { kind: 'list'; items: Expr[] }
  | { kind: 'ref'; ref: Reference }
  | { kind: 'not'; operand: Expr }
  | { kind: 'logic'; op: 'and' | 'or'; left: Expr; right: Expr }
  | { kind: 'compare'; op: CompareOp; left: Expr; right: Expr }
  | { kind: 'arith'; op: '+' | '-' | '*' | '/'; left: Expr; right: Expr }
  | { kind: 'negate'; operand: Expr }
  | { kind: 'defined'; operand: Expr; negated: boolean }
  | { kind: 'call'; name: string; args: Expr[] };
