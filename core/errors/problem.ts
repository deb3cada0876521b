/**
 * One finding about a text that a person wrote (playbook, connector, inputs).
 * Problems are data: a validator returns all of them at once, it never throws.
 */
export interface Problem {
  severity: 'error' | 'warning';
  /** lower_snake_case, stable; clients switch on it. */
  code: string;
  message: string;
  /** Name of the step it belongs to. */
  step?: string;
  /** Dotted path inside the step or document, for example `inputs.data`. */
  field?: string;
  /** JSON Pointer (RFC 6901) into the body of a request, where the place is one of it. */
  pointer?: string;
  /** 1-based position in the source text, when the source is known. */
  line?: number;
  column?: number;
  /** Advice on the repair, ready to show. */
  suggestion?: string;
}

export function hasErrors(problems: readonly Problem[]): boolean {
  return problems.some((problem) => problem.severity === 'error');
}
