import type { Json } from '../base/json';

/** Rule for one output field. Exactly one of `path` and `constant`. */
export interface FieldRule {
  /** Dot path with indexes and `[*]`; XPath when the answer is XML. */
  path?: string;
  constant?: Json;
  /** Applied in order to a value that is there. */
  transforms: Transform[];
  /** Taken when the path finds nothing, or null. It is not transformed. */
  default?: Json;
}

export type Transform =
  | { op: 'trim' }
  | { op: 'number'; decimal: '.' | ',' }
  /** `format`: tokens YYYY MM DD HH mm ss, `unix` or `unix_ms`; gives an ISO date or instant. */
  | { op: 'date'; format: string }
  | { op: 'split'; separator: string }
  /** Literal text, every occurrence. */
  | { op: 'replace'; find: string; with: string }
  /** A value without an entry stays as it is, or becomes `otherwise`. */
  | { op: 'map'; values: Record<string, Json>; otherwise?: Json };
