/** Caps of the expression language. Every text above them is refused with a position, never cut. */

/** Code units of one expression, reference or template with references. */
export const MAX_LENGTH = 65_536;
/** Parentheses, lists, calls, NOT and minus signs inside each other; segments of one path. */
export const MAX_DEPTH = 50;
/** Operators of one expression. Bounds the height of the tree, which the evaluator walks recursively. */
export const MAX_OPERATORS = 1_000;
/** `{N_days_ago}`, `{N_days_ahead}`: a hundred years. */
export const MAX_DAYS = 36_500;
/** Code units that one rendering may produce beside whole values. */
export const MAX_RENDERED = 33_554_432;
/** Bytes of JSON up to which `text(x)` writes a list or an object. */
export const MAX_TEXT_OF_VALUE = 1_048_576;
