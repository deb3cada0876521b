/** Fault of an expression, with its place. */
export interface ExpressionFault {
  message: string;
  /** Index of the character in the expression. */
  at: number;
}

/** Checks of expressions whose engine lives outside the core; each answers what is wrong, or nothing. */
export interface ExpressionChecks {
  xpath?: (expression: string) => string | undefined;
  /** CSS selector of a page. */
  selector?: (expression: string) => string | undefined;
  /** Statement of a database connector; parameters stand in it as `:name`. */
  sql?: (statement: string) => string | ExpressionFault | undefined;
}
