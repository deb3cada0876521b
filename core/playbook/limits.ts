/** Caps of a playbook text. Every text above one is refused with the cap in the message. */
export const MAX_BYTES = 1_000_000;
/** Lexical elements (marks, spaces, values): bounds the parser's time and memory. */
export const MAX_LEXEMES = 200_000;
/** Lists and mappings inside each other, in any part of the text. */
export const MAX_NESTING = 100;
export const MAX_ALIASES = 100;
/** Nodes that all aliases together may add. */
export const MAX_EXPANSION = 20_000;
export const MAX_STEPS = 1_000;
/** Lists of steps inside each other. */
export const MAX_DEPTH = 20;
export const MAX_ITERATIONS = 1_000;
/** Problems in one answer; a note says how many there were. */
export const MAX_PROBLEMS = 100;
