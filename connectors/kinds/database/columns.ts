import type { Client } from 'pg';
import type { Json, JsonObject } from '../../../core/base/json';
import { safeRecord } from '../../../core/connector/fields';
import { AppError } from '../../../core/errors/app-error';
import type { Column, RawRow } from './portal';
import { arrayDecoder, BYTEA, decoderOf } from './values';
import type { Decoder } from './values';

export interface DecodedColumn {
  name: string;
  decode: Decoder;
}

interface TypeRow {
  oid: number;
  element: number;
  delimiter: string;
}

/** Types of lists, and what is in them. Everything else is told by its number alone. */
const LISTS = `select t.oid::int, t.typelem::int as element, e.typdelim as delimiter
  from pg_catalog.pg_type t join pg_catalog.pg_type e on e.oid = t.typelem
  where t.oid = any ($1::oid[]) and t.typcategory = 'A'`;

/** Decoders of the columns. Refuses types that an answer cannot hold before a row is fetched. */
export async function decodersOf(client: Client, columns: readonly Column[]): Promise<DecodedColumn[]> {
  requireDistinct(columns);
  const types = [...new Set(columns.map((column) => column.dataTypeID))];
  const { rows } = await client.query<TypeRow>(LISTS, [types]);
  const lists = new Map(rows.map((row) => [row.oid, row]));
  return columns.map(({ name, dataTypeID }) => {
    const list = lists.get(dataTypeID);
    if ((list?.element ?? dataTypeID) === BYTEA) throw binary(name);
    const decode = list === undefined ? decoderOf(dataTypeID) : arrayDecoder(decoderOf(list.element), list.delimiter);
    return { name, decode };
  });
}

export function decodeRow(columns: readonly DecodedColumn[], row: RawRow): JsonObject {
  return safeRecord(
    columns.map(({ name, decode }, index): [string, Json] => {
      const text = row[index] ?? null;
      return [name, text === null ? null : decode(text)];
    }),
  );
}

function requireDistinct(columns: readonly Column[]): void {
  const seen = new Set<string>();
  for (const { name } of columns) {
    if (seen.has(name)) {
      throw new AppError(
        'duplicate_column',
        `Two columns of the answer are called \`${name}\`. Give one of them another name with AS.`,
        { category: 'bad_request', details: { column: name } },
      );
    }
    seen.add(name);
  }
}

function binary(name: string): AppError {
  return new AppError(
    'unsupported_type',
    `The column \`${name}\` is bytea, which an answer cannot hold. Select \`encode(${name}, 'base64')\` or leave it out.`,
    { category: 'bad_request', details: { column: name } },
  );
}
