/** Checks of expressions whose engine lives outside the core; each answers what is wrong, or nothing. */
export interface ExpressionChecks {
  xpath?: (expression: string) => string | undefined;
}
