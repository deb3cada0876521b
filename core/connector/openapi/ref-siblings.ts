import { shorten } from '../../base/shorten';
import { readNumber } from '../../base/number-rule';
import type { Json, JsonObject } from '../../base/json';
import { isJsonObject, ownField } from '../../base/json';
import type { ImportReport } from './import-report';
import type { DocumentNode } from './document-node';

/** Keys whose values are schemas, and keys whose values are lists or mappings of them. */
const SCHEMA = new Set(['schema', 'items', 'additionalProperties', 'not', 'contains', 'if', 'then', 'else']);
const SCHEMAS = new Set(['schemas', 'properties', 'patternProperties', 'allOf', 'oneOf', 'anyOf', 'prefixItems']);
const PATH_ITEMS = new Set(['paths', 'webhooks', 'pathItems']);
/** Keys that an OpenAPI 3.1 reference that is no schema may have beside `$ref`. */
const OF_REFERENCES = new Set(['summary', 'description']);
/** Keys that describe a value: those nearest to its use count. */
const ANNOTATIONS = new Set(
  'title description summary default deprecated readOnly writeOnly example examples externalDocs'.split(' '),
);

/** Merges the keys beside a `$ref` into its target, as OpenAPI 3.1 reads them. */
export function mergedWithSiblings(start: DocumentNode, target: DocumentNode, report: ImportReport): DocumentNode {
  const siblings = siblingsOf(start, report);
  if (siblings.length === 0 || !isJsonObject(target.value)) return target;
  const merged = new Map<string, Json>(Object.entries(target.value));
  for (const [key, value] of siblings) {
    const there = ownField(target.value, key);
    const both = there === undefined || ANNOTATIONS.has(key) ? value : bothOf(key, there, value);
    if (both === undefined || (start.document !== target.document && refers(value))) {
      const message = `\`${shorten(key)}\` stands beside a \`$ref\` and cannot be joined with what is there; it is left out.`;
      report.warn('keyword_beside_ref', message, start, 'Write the schema out, or put both into `allOf`.');
    } else merged.set(key, both);
  }
  // The place of the reference tells this value from the one that it refers to.
  return { ...target, value: Object.fromEntries(merged), variant: `${start.document}#/${start.path.join('/')}` };
}

function siblingsOf(start: DocumentNode, report: ImportReport): [string, Json][] {
  if (!isJsonObject(start.value)) return [];
  const siblings = Object.entries(start.value).filter(([key]) => key !== '$ref' && !key.startsWith('x-'));
  if (holdsSchema(start)) return siblings;
  return siblings.filter(([key]) => {
    if (OF_REFERENCES.has(key)) return true;
    const message = `\`${shorten(key)}\` stands beside a \`$ref\` that is no schema; OpenAPI says to ignore it.`;
    report.warn('ignored_beside_ref', message, start);
    return false;
  });
}

/** A schema, or a path item, which joins as a schema does. The root of another document is read as one. */
function holdsSchema({ path }: DocumentNode): boolean {
  const [above, last] = [String(path.at(-2)), String(path.at(-1))];
  if (path.length === 0 || SCHEMAS.has(above) || PATH_ITEMS.has(above)) return true;
  return SCHEMA.has(last);
}

/** Value of a key that satisfies both sides; undefined where one value cannot. */
function bothOf(key: string, there: Json, here: Json): Json | undefined {
  if (JSON.stringify(there) === JSON.stringify(here)) return here;
  if (key === 'required' || key === 'allOf') return listsOf(there, here, (a, b) => [...a, ...b]);
  if (key === 'enum') return listsOf(there, here, common);
  if (key === 'type') return commonType(there, here);
  if (key === 'properties' && isJsonObject(there) && isJsonObject(here)) return propertiesOf(there, here);
  const stricter = STRICTER[key];
  const [a, b] = [numberOf(there), numberOf(here)];
  return stricter === undefined || a === undefined || b === undefined ? undefined : stricter(a, b);
}

/** A document keeps `1.0` as it is written. */
function numberOf(value: Json): number | undefined {
  const number = typeof value === 'string' ? readNumber(value) : value;
  return typeof number === 'number' ? number : undefined;
}

const STRICTER: Readonly<Record<string, (a: number, b: number) => number>> = {
  minimum: Math.max,
  exclusiveMinimum: Math.max,
  minLength: Math.max,
  minItems: Math.max,
  maximum: Math.min,
  exclusiveMaximum: Math.min,
  maxLength: Math.min,
  maxItems: Math.min,
};

function listsOf(there: Json, here: Json, join: (a: Json[], b: Json[]) => Json[]): Json | undefined {
  return Array.isArray(there) && Array.isArray(here) ? join(there, here) : undefined;
}

function common(there: Json[], here: Json[]): Json[] {
  const known = new Set(there.map((item) => JSON.stringify(item)));
  return here.filter((item) => known.has(JSON.stringify(item)));
}

/** `integer` is a `number`; a list of types is one of them. */
function commonType(there: Json, here: Json): Json | undefined {
  const [a, b] = [there, here].map((type) => (Array.isArray(type) ? type : [type]));
  const integers = (types: Json[]): Json[] => (types.includes('number') ? [...types, 'integer'] : types);
  const both = common(integers(a ?? []), integers(b ?? [])).filter((type, at, all) => all.indexOf(type) === at);
  const narrow = both.includes('number') ? both.filter((type) => type !== 'integer') : both;
  return narrow.length === 1 ? narrow[0] : narrow.length === 0 ? undefined : narrow;
}

/** A property of both holds to both. */
function propertiesOf(there: JsonObject, here: JsonObject): Json {
  const names = new Set([...Object.keys(there), ...Object.keys(here)]);
  return Object.fromEntries(
    [...names].map((name) => {
      const [a, b] = [ownField(there, name), ownField(here, name)];
      return [name, a === undefined ? (b ?? null) : b === undefined ? a : { allOf: [b, a] }];
    }),
  );
}

function refers(value: Json): boolean {
  if (Array.isArray(value)) return value.some(refers);
  if (!isJsonObject(value)) return false;
  return typeof ownField(value, '$ref') === 'string' || Object.values(value).some(refers);
}
