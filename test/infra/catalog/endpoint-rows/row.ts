import type { JsonObject } from '../../../../core/base/json';

/** One call of an endpoint and what must come back. */
export interface Row {
  inputs?: JsonObject;
  /** Records in all. */
  count: number;
  /** Requests that it takes; absent = the endpoint has no pages. */
  pages?: number;
  /** Fields of the first record; the values are those of the data's own page. */
  first?: JsonObject;
  /** Fields of the last record. */
  last?: JsonObject;
  /** Sum of a field over the records that were recorded (the first ones). */
  sum?: { field: string; of: number; is: number };
  /** Output fields that nothing was found for → in how many records. Absent = all were found. */
  missing?: Record<string, number>;
  /** Fields with how many different values the records have in them. */
  distinct?: Record<string, number>;
  /** Fields of the first record that are lists → their length. */
  lengths?: Record<string, number>;
  /** Fields of all records together: what a row does not bind is no field of it. */
  cells?: number;
  /** The one request, or the first, as the source saw it. */
  asked?: string;
}

/** Endpoint → calls. */
export type Rows = Record<string, Row[]>;
