import { isJsonObject, type Json, type JsonObject } from '../../core/base/json';
import { findEndpoint } from '../../core/connector/find-endpoint';
import type { ConnectorDefinition } from '../../core/connector/types';
import { firstRecords } from './bounded';

/** One of the lists that files are read into beside their own records. */
export interface ShownGroup {
  name: string;
  /** Rows of the whole result. */
  count: number;
  /** Fields of its rows, in order. */
  fields: string[];
  /** The first rows. */
  records: Json[];
}

/** Every group of the endpoint, also one that has no row; and what is left of the result. */
export function groupsOf(
  definition: ConnectorDefinition,
  endpoint: string,
  result: JsonObject,
): { groups: ShownGroup[]; rest: JsonObject } {
  const found = findEndpoint(definition, endpoint);
  const declared = found !== undefined && 'groups' in found ? found.groups : {};
  const rest = Object.fromEntries(Object.entries(result).filter(([name]) => !Object.hasOwn(declared, name)));
  const groups = Object.entries(declared).map(([name, { fields, carry }]): ShownGroup => {
    const rows = Object.hasOwn(result, name) ? result[name] : undefined;
    const list = Array.isArray(rows) ? rows : [];
    const [first] = list;
    const named = [...carry, ...fields.map(({ field }) => field)];
    return {
      name,
      count: list.length,
      fields: isJsonObject(first) ? Object.keys(first) : named,
      records: firstRecords(list),
    };
  });
  return { groups, rest };
}
