import type { TextRule } from './fields';

/** Patterns of the texts of a definition; the published schema holds the same patterns. */
export const CONNECTOR_ID = {
  pattern: /^[a-z0-9][a-z0-9-]{0,62}$/,
  hint: 'lower-case letters, digits and dashes, for example `irs-990-xml`',
} satisfies TextRule;

export const NAME = {
  pattern: /^[A-Za-z_][A-Za-z0-9_-]{0,62}$/,
  hint: 'letters, digits, `_` and `-`, beginning with a letter or `_`',
} satisfies TextRule;

export const PARAMETER_NAME = {
  pattern: /^[A-Za-z_$][A-Za-z0-9_.$[\]-]{0,99}$/,
  hint: 'a parameter name without spaces',
} satisfies TextRule;

/** A name that GraphQL and SQL texts can hold. */
export const PLAIN_NAME = {
  pattern: /^[A-Za-z_][A-Za-z0-9_]{0,62}$/,
  hint: 'letters, digits and `_`, beginning with a letter or `_`',
} satisfies TextRule;

export const SECRET_NAME = {
  pattern: /^[A-Za-z_][A-Za-z0-9_.-]{0,99}$/,
  hint: 'the name of a stored secret',
} satisfies TextRule;

export const URL_PATH = {
  // eslint-disable-next-line no-control-regex
  pattern: /^\/[^?#\s\\\u0000-\u001f\u007f-\u009f]*$/,
  hint: 'a path that begins with `/`, without query, fragment and control characters',
} satisfies TextRule;

export const FIELD_TYPE = {
  pattern: /^[a-z_]{1,30}(\[\])?$/,
  hint: 'a type such as `string`, `number` or `string[]`',
} satisfies TextRule;

export const ATTRIBUTE = {
  pattern: /^[A-Za-z_:][A-Za-z0-9_:.-]{0,99}$/,
  hint: 'the name of an attribute such as `href`',
} satisfies TextRule;

/** Page of documentation. */
export const DOCS = {
  pattern: /^https?:\/\/[^\s@]+$/,
  hint: 'the address of the page that describes it',
} satisfies TextRule;

export const RECORD_TYPE = {
  pattern: /^[A-Za-z0-9/[\]]{1,20}$/,
  hint: 'the beginning of a record type such as `SA` or `SB17`',
} satisfies TextRule;

export const ACTION_NAME = {
  pattern: /^[a-z][a-z0-9_]{0,62}$/,
  hint: 'the name of an action such as `search_web`',
} satisfies TextRule;
