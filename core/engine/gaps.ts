import { isJsonObject, ownField, type Json, type JsonObject } from '../base/json';
import { jsonText } from '../base/json-text';
import { pureActions } from '../transform/pure-actions';
import type { FieldsRead } from '../playbook/reads';
import { isLoss, type RemarkCode } from '../transform/remarks';
import type { StoredValue } from './values';

/** Replay-sensitive. Gaps of a result, read from its fields. The only code that reads them. */
export interface Gap {
  code:
    | 'not_read'
    | 'truncated'
    | 'maybe_more'
    | 'stopped_early'
    | 'unreadable_values'
    | 'unreadable_header'
    | 'unreadable_paging'
    | 'column_not_found'
    | 'short_rows'
    | 'input_not_there'
    | 'stale'
    | 'items_failed'
    | 'steps_failed'
    | 'steps_incomplete'
    | 'child_partial'
    | 'not_done'
    | 'not_written'
    | 'no_label'
    | 'no_preview'
    | 'tool_failed'
    | 'parts_left_out'
    | RemarkCode;
  message: string;
  /** False: whether something is missing is unknown, and nothing ended the work early. */
  certain: boolean;
}

/** Data that a run lacks: of which step, and why. */
export interface Shortfall {
  /** Path of the step. */
  step: string;
  kind: 'failed' | 'skipped' | 'incomplete';
  code: string;
  message: string;
}

/** Codes of gaps inside a step, which have made the run partial there. */
const INSIDE: readonly string[] = ['items_failed', 'steps_failed', 'steps_incomplete', 'child_partial'];

export function isInnerGap({ code }: Gap): boolean {
  return INSIDE.includes(code);
}

/** Fields of the result that report gaps. `warnings`: values that could not be read, and remarks of a transform. */
const TOLD_BY: Record<string, readonly string[]> = {
  errors: ['not_read'],
  error_count: ['not_read'],
  truncated: ['truncated', 'stopped_early'],
  stopped_by: ['truncated', 'stopped_early'],
  cache: ['stale'],
  age_seconds: ['stale'],
  routing_report: ['not_written'],
};

/** A playbook that reads the field that reports a gap handles that gap itself. */
export function isHandled({ code }: Gap, asked: FieldsRead): boolean {
  if (asked.has('warnings') && (code === 'unreadable_values' || code === 'column_not_found' || isLoss(code)))
    return true;
  return Object.entries(TOLD_BY).some(([field, codes]) => codes.includes(code) && asked.has(field));
}

/** Fields each of which, by the older rule, handled all gaps of its result. */
const TOLD_OF_ALL = [
  'errors',
  'error_count',
  'warnings',
  'missing',
  'truncated',
  'stopped_by',
  'failed_count',
  'routing_report',
];

export function wasHandled(asked: FieldsRead): boolean {
  return TOLD_OF_ALL.some((field) => asked.has(field));
}

/** `asked`: the inputs of the call. A call that sets a limit itself gets no less than it asked for. */
export function gapsOf(action: string, out: StoredValue, asked: JsonObject): Gap[] {
  if (!isJsonObject(out.value)) return [];
  if (Object.hasOwn(pureActions, action)) return remarked(out.value);
  if (action === 'route_output' || action === '$output') return unwrittenDestinations(out.value);
  if (action === 'query_journal') return unreadable(out);
  if (action !== 'call_connector') return [];
  return [...unread(out), ...cutOff(out.value, asked), ...unreadable(out), ...stale(out.value)];
}

/** Gaps from the warnings of a transform, one for each code. */
function remarked(value: JsonObject): Gap[] {
  const warnings = ownField(value, 'warnings');
  const gaps = new Map<string, { first: string; count: number }>();
  for (const warning of Array.isArray(warnings) ? warnings : []) {
    if (!isJsonObject(warning)) continue;
    const [code, message] = [jsonText(ownField(warning, 'code')), jsonText(ownField(warning, 'message'))];
    const known = gaps.get(code);
    if (known) known.count += 1;
    else gaps.set(code, { first: message, count: 1 });
  }
  return [...gaps].map(([code, { first, count }]) => {
    const more = count === 1 ? '' : ` (and ${count - 1} more of the kind)`;
    return { code: code as RemarkCode, message: `${first}${more}`, certain: isLoss(code) };
  });
}

/** Destinations that failed, or that do not exist yet; one that its condition left out is not missing. */
export function unwrittenDestinations(value: JsonObject): Gap[] {
  const report = ownField(value, 'routing_report');
  const entries = Array.isArray(report) ? report.filter(isJsonObject) : [];
  const failed = entries.filter((entry) => ['error', 'not_available'].includes(jsonText(ownField(entry, 'status'))));
  if (failed.length === 0) return [];
  const which = failed.map((entry) => {
    const message = ownField(entry, 'message') ?? null;
    const why = message === null ? '' : ` (${jsonText(message)})`;
    return `${jsonText(ownField(entry, 'destination'))}: ${jsonText(ownField(entry, 'code'))}${why}`;
  });
  const message = `${failed.length} of ${entries.length} destinations not written: ${which.join(', ')}`;
  return [{ code: 'not_written', message, certain: true }];
}

function unread(out: StoredValue): Gap[] {
  const errors = countOf(out, 'errors');
  if (errors === 0) return [];
  const [read, what] = hasList(out, 'files')
    ? [countOf(out, 'files'), 'files']
    : hasList(out, 'feeds')
      ? [countOf(out, 'feeds'), 'feeds']
      : [undefined, ''];
  const message =
    read === undefined ? `${errors} errors came beside the data` : `${errors} of ${errors + read} ${what} not read`;
  return [{ code: 'not_read', message, certain: true }];
}

function cutOff(value: JsonObject, asked: JsonObject): Gap[] {
  const truncated = ownField(value, 'truncated');
  const stopped = ownField(value, 'stopped_by');
  const by = typeof stopped === 'string' ? stopped : '';
  const reason = by === '' ? '' : ` (stopped by ${by})`;
  if (truncated === true && !Object.hasOwn(asked, by))
    return [{ code: 'truncated', message: `there is more than was read${reason}`, certain: true }];
  // Null or a text: whether the list was complete is unknown.
  if (truncated !== null && typeof truncated !== 'string') return [];
  if (!ENDS_EARLY.has(by))
    return [{ code: 'maybe_more', message: `there may be more than was read${reason}`, certain: false }];
  if (Object.hasOwn(asked, by)) return [];
  return [{ code: 'stopped_early', message: `there may be more${reason}`, certain: true }];
}

/** Reasons to stop reading that do not show whether the list goes on. */
const ENDS_EARLY: ReadonlySet<string> = new Set([
  'max_pages',
  'max_items',
  'max_bytes',
  'max_seconds',
  'repeated_page',
  'repeated_cursor',
]);

interface Kind {
  code: Gap['code'];
  one: string;
  many: string;
  certain: boolean;
}

const VALUES: Kind = {
  code: 'unreadable_values',
  one: 'value could not be read',
  many: 'values could not be read',
  certain: true,
};
/** Kinds of warnings, by code. Unreadable statements of an answer about itself or its pages are no missing data. */
const NOTES: Record<string, Kind> = {
  unreadable_header: {
    code: 'unreadable_header',
    one: 'header could not be read',
    many: 'headers could not be read',
    certain: false,
  },
  unreadable_paging: {
    code: 'unreadable_paging',
    one: 'note about pages could not be read',
    many: 'notes about pages could not be read',
    certain: false,
  },
  column_not_found: {
    code: 'column_not_found',
    one: 'column is not in the file',
    many: 'columns are not in the file',
    certain: true,
  },
  unknown_field: {
    code: 'unknown_field',
    one: 'field is in no record',
    many: 'fields are in no record',
    certain: false,
  },
  input_not_there: {
    code: 'input_not_there',
    one: 'input was not there',
    many: 'inputs were not there',
    certain: false,
  },
  short_rows: { code: 'short_rows', one: 'file has short rows', many: 'files have short rows', certain: false },
};
const KINDS = [VALUES, ...Object.values(NOTES)];

function unreadable(out: StoredValue): Gap[] {
  const count = countOf(out, 'warnings');
  if (count === 0) return [];
  const warnings = isJsonObject(out.value) ? ownField(out.value, 'warnings') : undefined;
  // A list that is stored outside is longer than all remarks on headers and pages.
  if (!Array.isArray(warnings)) return [unreadGap(VALUES, count, '')];
  return KINDS.flatMap((kind) => {
    const own = warnings.filter((warning) => kindOf(warning) === kind);
    const [first] = own;
    const shown = isJsonObject(first) ? jsonText(ownField(first, 'message')) : '';
    return own.length === 0 ? [] : [unreadGap(kind, own.length, shown)];
  });
}

function kindOf(warning: Json): Kind {
  const code = isJsonObject(warning) ? ownField(warning, 'code') : undefined;
  return (typeof code === 'string' && Object.hasOwn(NOTES, code) ? NOTES[code] : undefined) ?? VALUES;
}

function unreadGap(kind: Kind, count: number, shown: string): Gap {
  const { code, one, many, certain } = kind;
  const message = `${count} ${count === 1 ? one : many}${shown === '' ? '' : `: ${shown}`}`;
  return { code, message, certain };
}

function stale(value: JsonObject): Gap[] {
  if (ownField(value, 'cache') !== 'stale') return [];
  const age = ownField(value, 'age_seconds');
  const old = typeof age === 'number' ? `, ${age} s old` : '';
  return [{ code: 'stale', message: `from the cache${old}: the source did not answer`, certain: true }];
}

/** Elements of a list of the result, also of one that lies outside. */
function countOf(out: StoredValue, field: string): number {
  const outside = out.handles && Object.hasOwn(out.handles, field) ? out.handles[field] : undefined;
  if (outside) return outside.count ?? 0;
  const value: Json | undefined = isJsonObject(out.value) ? ownField(out.value, field) : undefined;
  return Array.isArray(value) ? value.length : 0;
}

function hasList(out: StoredValue, field: string): boolean {
  return (
    (out.handles !== undefined && Object.hasOwn(out.handles, field)) ||
    (isJsonObject(out.value) && Array.isArray(ownField(out.value, field)))
  );
}
