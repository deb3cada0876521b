import { isJsonObject, ownField, type Json, type JsonObject } from '../../core/base/json';
import { AppError } from '../../core/errors/app-error';
import { emptyText } from '../../core/report/about';
import { recordsOf } from '../../core/report/table';
import type { ReportSection } from '../../core/report/types';
import { fieldPath } from '../../core/transform/field-path';
import { Remarks } from '../../core/transform/remarks';
import { saveRows } from '../../infra/workspace/save-rows';
import type { RowKey } from '../../infra/workspace/write-rows';
import { flagOption, namesOption, textOption } from '../../core/actions/option-reader';
import type { DestinationWork, OutputJob, Prepare } from './output-types';

/**
 * Writes rows of one section to a workspace table: `config.section`, else the first section with records.
 * `schema_mapping` keeps only its fields. Rows whose `deduplication_key` is in the table are left out; rows whose
 * `upsert_key` is in it replace that row.
 */
export const toTable: Prepare = async (work) => {
  const { config } = work.destination;
  const rows = rowsFor(work.job, config);
  const fields = mappedFields(config);
  const warnings = unknownFields(rows, fields);
  const request = {
    ownerId: work.context.ownerId,
    workspace: textOption(config, 'workspace_id'),
    table: textOption(config, 'table_name') ?? defaultTable(work),
    rows: rows.map((row) => (fields.length === 0 ? row : onlyFields(row, fields))),
    createIfMissing: flagOption(config, 'create_if_missing', true),
    key: keyOf(config),
    runId: work.context.runId,
    step: work.context.stepPath,
  };
  return async (sql) => {
    const saved = await saveRows({ sql, store: work.deps.workspaces }, request);
    return {
      table: saved.table_name,
      workspace_id: saved.workspace_id,
      rows_inserted: saved.rows_inserted,
      rows_updated: saved.rows_updated,
      ...(warnings.length > 0 && { warnings }),
    };
  };
};

function defaultTable(work: DestinationWork): string {
  return (work.job.report.title || work.context.stepName).slice(0, 120);
}

function keyOf(config: JsonObject): RowKey {
  const upsert = namesOption(config, 'upsert_key');
  return upsert.length > 0
    ? { fields: upsert, onConflict: 'update' }
    : { fields: namesOption(config, 'deduplication_key'), onConflict: 'skip' };
}

function rowsFor(job: OutputJob, config: JsonObject): JsonObject[] {
  const section = sectionFor(job, textOption(config, 'section'));
  const nothing = section.value === null ? emptyText(section) : undefined;
  if (nothing !== undefined) {
    throw new AppError('not_computed', `The rows of "${section.title}" are not there. ${nothing}`, {
      category: 'validation',
    });
  }
  return recordsOf(section.value);
}

function mappedFields(config: JsonObject): string[] {
  const mapping = ownField(config, 'schema_mapping');
  return isJsonObject(mapping) ? Object.keys(mapping) : [];
}

/** Remarks on fields of the mapping that no record has: their columns are empty. */
function unknownFields(rows: readonly JsonObject[], fields: readonly string[]): JsonObject[] {
  const remarks = new Remarks();
  remarks.fields(rows, fields.map(fieldPath));
  return remarks.list;
}

/** Section that the rows come from: the named one; else the first that has records, the only one, or, where no section was skipped, an empty list. */
function sectionFor(job: OutputJob, title: string | undefined): ReportSection {
  const sections = job.report.sections.filter((section) => title === undefined || section.title === title);
  const isWhole = sections.every(({ absent }) => absent === undefined);
  const section =
    sections.find(({ value }) => hasRecords(value)) ??
    (sections.length === 1 ? sections[0] : undefined) ??
    (isWhole ? sections.find(({ value }) => Array.isArray(value)) : undefined);
  if (section !== undefined) return section;
  throw new AppError(
    'no_rows',
    'No section has records to save. Name one with `config.section`, or add a section that has rows.',
    { category: 'validation' },
  );
}

function onlyFields(row: JsonObject, fields: readonly string[]): JsonObject {
  return Object.fromEntries(fields.map((name): [string, Json] => [name, ownField(row, name) ?? null]));
}

function hasRecords(value: Json): boolean {
  return (
    (Array.isArray(value) && value.length > 0) || (isJsonObject(value) && Object.values(value).some(Array.isArray))
  );
}
