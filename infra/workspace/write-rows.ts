import { createHash } from 'node:crypto';
import { ownField, type Json, type JsonObject } from '../../core/base/json';
import { jsonText } from '../../core/base/json-text';
import { suggestionOr } from '../../core/base/did-you-mean';
import { canonicalNumber } from '../../core/base/number-rule';
import { AppError } from '../../core/errors/app-error';
import type { Sql } from '../db/database';
import { quoted } from './identifiers';
import type { WorkspaceTable } from './open-table';
import type { WorkspaceColumn } from './table-shape';

export interface WriteCounts {
  inserted: number;
  updated: number;
}
/** Fields that make rows equal (none = every row is new), and the treatment of an existing row. */
export interface RowKey {
  fields: readonly string[];
  onConflict: 'update' | 'skip';
}
interface Origin {
  runId: string | null;
  step: string;
}

/** Escapes in JSON text of what PostgreSQL cannot store: U+0000 and lone surrogates. They become U+FFFD. */
const UNSTORABLE = /(?<!\\)((?:\\\\)*)\\u(?:0000|d[89a-f][0-9a-f]{2})/g;
const BATCH_ROWS = 2_000;
const BATCH_CHARACTERS = 4_000_000;

/**
 * Writes rows in batches, each one statement. With key fields a row with the same key is updated (its fields that
 * occur in this data are replaced), or left as it is. Of several rows with one key the last wins when updating, and
 * the others count as updated; when skipping the first wins.
 * @throws AppError `upsert_key_missing`, `workspace_type_conflict`, `upsert_key_not_unique`
 */
export async function writeRows(
  sql: Sql,
  table: WorkspaceTable,
  work: { rows: readonly JsonObject[]; key: RowKey; origin: Origin },
): Promise<WriteCounts> {
  const columns = columnsIn(table, work.rows);
  refuseUnknownKeys(work.rows, work.key.fields);
  const keyColumns = work.key.fields.map((name) => keyColumn(table, name));
  const skip = work.key.onConflict === 'skip';
  const rows = keyColumns.length === 0 ? work.rows : oneOfEachKey(work.rows, work.key);
  if (keyColumns.length > 0) {
    await ensureUnique(sql, table, keyColumns);
  }
  const conflict = keyColumns.length === 0 ? '' : onConflict(columns, keyColumns, skip);
  const statement = insertStatement(table, columns, conflict);
  const written: WriteCounts = { inserted: 0, updated: skip ? 0 : work.rows.length - rows.length };
  for (const batch of batches(rows, columns)) {
    const [counts] = await sql.query<WriteCounts>(statement, [batch, work.origin.runId, work.origin.step]);
    written.inserted += counts?.inserted ?? 0;
    written.updated += counts?.updated ?? 0;
  }
  return written;
}

/** Columns that occur in this data: an upsert leaves the others as they are. */
function columnsIn(table: WorkspaceTable, rows: readonly JsonObject[]): WorkspaceColumn[] {
  const present = new Set<string>();
  for (const row of rows) {
    for (const name of Object.keys(row)) {
      present.add(name);
    }
  }
  return table.columns.filter((column) => present.has(column.name));
}

/** A key that no record has is a misspelt name rather than a row without a value. */
function refuseUnknownKeys(rows: readonly JsonObject[], key: readonly string[]): void {
  const name = key.find((each) => !rows.some((row) => Object.hasOwn(row, each)));
  if (name === undefined) return;
  const known = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const way = suggestionOr(name, known, `They have: ${known.slice(0, 50).join(', ')}.`);
  throw new AppError('upsert_key_missing', `No row has a field "${name}", which is a key. ${way}`, {
    category: 'validation',
    details: { field: name },
  });
}

function keyColumn(table: WorkspaceTable, name: string): WorkspaceColumn {
  const column = table.columns.find((candidate) => candidate.name === name);
  if (column === undefined) {
    throw missingKey(name, 0);
  }
  if (column.type === 'json') {
    throw new AppError(
      'workspace_type_conflict',
      `The upsert key "${name}" holds lists or records: a key must be a single value.`,
      {
        category: 'conflict',
      },
    );
  }
  return column;
}

function oneOfEachKey(rows: readonly JsonObject[], key: RowKey): JsonObject[] {
  const kept = new Map<string, JsonObject>();
  rows.forEach((row, index) => {
    const values = key.fields.map((name) => {
      const value = ownField(row, name) ?? null;
      if (value === null || value === '') {
        throw missingKey(name, index);
      }
      return canonicalNumber(jsonText(value));
    });
    const text = JSON.stringify(values);
    if (key.onConflict === 'update' || !kept.has(text)) {
      kept.set(text, row);
    }
  });
  return [...kept.values()];
}

function missingKey(name: string, index: number): AppError {
  return new AppError(
    'upsert_key_missing',
    `Row ${index + 1} has no value in the upsert key "${name}". Filter such rows out first, or choose another key.`,
    {
      category: 'validation',
      details: { field: name, row: index + 1 },
    },
  );
}

async function ensureUnique(sql: Sql, table: WorkspaceTable, key: readonly WorkspaceColumn[]): Promise<void> {
  const names = key.map((column) => quoted(column.sql_name)).join(', ');
  const hash = createHash('sha256').update(`${table.target} ${names}`).digest('hex').slice(0, 16);
  try {
    await sql.query('select app_key_workspace_table($1, $2, $3, $4)', [
      table.workspaceId,
      table.sqlName,
      `key_${hash}`,
      key.map((column) => column.sql_name),
    ]);
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === '23505') {
      throw new AppError(
        'upsert_key_not_unique',
        `The table "${table.name}" already has several rows with one value of the upsert key. Remove them, or save to another table.`,
        {
          category: 'conflict',
          cause,
        },
      );
    }
    throw cause;
  }
}

function insertStatement(table: WorkspaceTable, columns: readonly WorkspaceColumn[], conflict: string): string {
  const names = columns.map((column) => quoted(column.sql_name));
  const target = [...names, '_run_id', '_step'].join(', ');
  const source = [...names.map((name) => `r.${name}`), '$2::uuid', '$3'].join(', ');
  return `with written as (
    insert into ${table.target} (${target}) select ${source} from json_populate_recordset(null::${table.target}, $1::json) r
    ${conflict}
    returning (xmax = 0) as fresh)
  select (count(*) filter (where fresh))::integer as inserted, (count(*) filter (where not fresh))::integer as updated from written`;
}

function onConflict(columns: readonly WorkspaceColumn[], key: readonly WorkspaceColumn[], skip: boolean): string {
  const keyNames = key.map((column) => quoted(column.sql_name));
  const names = columns.map((column) => quoted(column.sql_name)).filter((name) => !keyNames.includes(name));
  const replaced = [...names, '_run_id', '_step'].map((name) => `${name} = excluded.${name}`);
  const action = skip ? 'nothing' : `update set ${replaced.join(', ')}, _saved_at = clock_timestamp()`;
  return `on conflict (${keyNames.join(', ')}) do ${action}`;
}

/** JSON arrays of rows under their SQL names, each of a size that the server takes in well below a second. */
function* batches(rows: readonly JsonObject[], columns: readonly WorkspaceColumn[]): Generator<string> {
  let texts: string[] = [];
  let characters = 0;
  for (const row of rows) {
    const text = rowText(row, columns);
    texts.push(text);
    characters += text.length;
    if (texts.length >= BATCH_ROWS || characters >= BATCH_CHARACTERS) {
      yield `[${texts.join(',')}]`;
      texts = [];
      characters = 0;
    }
  }
  if (texts.length > 0) {
    yield `[${texts.join(',')}]`;
  }
}

function rowText(row: JsonObject, columns: readonly WorkspaceColumn[]): string {
  const values = columns.map((column): [string, Json] => [column.sql_name, ownField(row, column.name) ?? null]);
  return JSON.stringify(Object.fromEntries(values)).replace(UNSTORABLE, '$1\\ufffd');
}
