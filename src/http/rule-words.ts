/** Rules about the type of a value: when one of them is broken the others add nothing. */
const TYPE_RULES: ReadonlySet<string> = new Set(['isString', 'isInt', 'isNumber', 'isBoolean', 'isArray', 'isObject']);

/** class-validator's sentences speak of a programmer's types; callers read JSON's. */
const WORDS: readonly (readonly [pattern: RegExp, words: string])[] = [
  [/^each value in (\S+) /, 'each element of $1 '],
  [/must be a string$/, 'must be text'],
  [/must be an integer number$/, 'must be a whole number'],
  [/must be a number conforming to the specified constraints$/, 'must be a number'],
  [/must be a boolean value$/, 'must be true or false'],
  [/must be an array$/, 'must be a list'],
  [/(?:nested property )?(\S+) must be either object or array$/, '$1 must be a JSON object'],
  [/must be an object$/, 'must be a JSON object'],
  [/must be longer than or equal to 1 characters$/, 'must not be empty'],
  [/must be longer than or equal to (\d+) characters$/, 'must have at least $1 characters'],
  [/must be shorter than or equal to (\d+) characters$/, 'must have at most $1 characters'],
  [/must not be greater than (\S+)$/, 'must be at most $1'],
  [/must not be less than (\S+)$/, 'must be at least $1'],
  [/must contain no more than (\d+) elements$/, 'must have at most $1 elements'],
  [/must contain at least 1 elements$/, 'must not be empty'],
  [/must contain at least (\d+) elements$/, 'must have at least $1 elements'],
  [/^All (\S+)'s elements must be unique$/, 'the elements of $1 must differ from each other'],
  [/must be one of the following values: /, 'must be one of '],
  [/should not be (?:null or undefined|empty)$/, 'must not be empty'],
];

/** Faults of a field, one entry for each broken rule: its name and a sentence. */
export function brokenRules(constraints: Record<string, string>): [rule: string, sentence: string][] {
  const broken = Object.entries(constraints);
  const types = broken.filter(([rule]) => TYPE_RULES.has(rule));
  return (types.length > 0 ? types : broken).map(([rule, message]) => [rule, inWords(message)]);
}

function inWords(message: string): string {
  return WORDS.reduce((text, [pattern, words]) => text.replace(pattern, words), message);
}
