import type { ExactNumbers } from '../../base/exact-numbers';
import { isJsonObject, ownField, type Json, type JsonObject } from '../../base/json';
import { fail } from '../failure';
import { fieldPath, readField, type FieldPath } from '../field-path';
import type { Operation } from '../operation';
import { flag, oneOf, optionalText, requiredText } from '../params';
import { RemarkCounter, type Remarks } from '../remarks';
import { checkCount, columnsOf, type Row } from '../rows';
import { normaliseName, scalarText } from '../text';
import { alone, beside, takenColumns } from './beside';
import { otherRows } from './other-rows';

interface KeyPair {
  left: FieldPath;
  right: FieldPath;
}

/**
 * `{with, on, how: inner|left|right|full, prefix?, case_insensitive?}`: a hash join with another input of the step.
 * Keys compare as text (the number 7 and the text "7" meet); an empty key meets nothing. Columns of the other
 * side take `prefix`; without one, a name that the own side has too becomes `<with>_<name>`, and a key of the
 * same name on both sides is kept once. Rows of the other side without a partner come last, in their order.
 */
export const join: Operation = (rows, params, { extra, exact, remarks }) => {
  const name = requiredText(params, 'with');
  const right = otherRows(extra, name, remarks);
  const on = keyPairs(params);
  const fold = flag(params, 'case_insensitive');
  const how = oneOf(params, 'how', ['inner', 'left', 'right', 'full'], 'inner');
  const prefix = optionalText(params, 'prefix', '');
  const once = prefix === '' ? sharedNames(on) : new Set<string>();
  const [leftPaths, rightPaths] = [on.map((pair) => pair.left), on.map((pair) => pair.right)];
  const [unkeyed, otherUnkeyed] = [new RemarkCounter(), new RemarkCounter()];
  const index = indexBy(right, (row) => joinKey(row, rightPaths, fold, exact), otherUnkeyed);
  const columns = takenColumns(rows, right, { name, prefix, once });
  const [keepsOwn, keepsOther] = [how === 'left' || how === 'full', how === 'right' || how === 'full'];
  remarks.fields(rows, leftPaths);
  remarks.fields(right, rightPaths, name);
  if (right.length === 0 || (keepsOther && rows.length === 0)) remarks.emptyListTaken();
  const result: Row[] = [];
  const met = new Set<Row>();
  rows.forEach((row, at) => {
    const key = joinKey(row, leftPaths, fold, exact);
    if (key === undefined) unkeyed.add(at);
    const partners = key === undefined ? undefined : index.get(key);
    for (const partner of partners ?? []) {
      met.add(partner);
      result.push(beside(row, partner, columns));
    }
    if (partners === undefined && keepsOwn) result.push(beside(row, undefined, columns));
    checkCount(result.length);
  });
  if (keepsOther) {
    const own = ownColumns(rows, once);
    for (const row of right) if (!met.has(row)) result.push(alone(row, own, columns, once));
    checkCount(result.length);
  }
  remarkUnkeyed({ unkeyed, of: rows, paths: leftPaths }, keepsOwn ? 'kept' : 'dropped', remarks);
  // A left join drops nothing of the own side, and of the other side takes partners alone.
  const others = keepsOwn || keepsOther ? 'kept' : 'dropped';
  remarkUnkeyed({ unkeyed: otherUnkeyed, of: right, paths: rightPaths, name }, others, remarks);
  return result;
};

/** Keys of one name on both sides. */
function sharedNames(on: readonly KeyPair[]): Set<string> {
  return new Set(on.filter((pair) => pair.left.name === pair.right.name).map((pair) => pair.left.name));
}

/** The keys are columns also where no own row has any. */
function ownColumns(rows: readonly Row[], once: ReadonlySet<string>): string[] {
  return [...new Set([...columnsOf(rows), ...once])];
}

function keyPairs(params: JsonObject): KeyPair[] {
  const on = ownField(params, 'on');
  const list = Array.isArray(on) ? on : on === undefined || on === null ? [] : [on];
  if (list.length === 0) {
    fail('invalid_operation', '`on` is empty: expected field names or a list of {left, right}.');
  }
  return list.map((element: Json) => {
    if (typeof element === 'string' && element !== '') {
      return { left: fieldPath(element), right: fieldPath(element) };
    }
    if (isJsonObject(element)) {
      return { left: fieldPath(requiredText(element, 'left')), right: fieldPath(requiredText(element, 'right')) };
    }
    return fail('invalid_operation', '`on` holds neither a field name nor {left, right}.');
  });
}

interface Unkeyed {
  unkeyed: RemarkCounter;
  of: readonly Row[];
  paths: readonly FieldPath[];
  /** Name of the other side's field. */
  name?: string;
}

/** An empty key meets nothing: in an inner join such a record is gone, in a left one its partner is not found. */
function remarkUnkeyed({ unkeyed, of, paths, name }: Unkeyed, become: 'kept' | 'dropped', remarks: Remarks): void {
  if (unkeyed.count === 0) return;
  const names = paths.map((path) => `\`${path.name}\``).join(', ');
  const whose = name === undefined ? '' : ` of \`${name}\``;
  const end = become === 'dropped' ? 'are left out' : 'meet nothing';
  const message = `${unkeyed.of(of.length)}${whose} have no value to join by (${names}) and ${end}.`;
  remarks.add(become === 'dropped' ? 'no_key' : 'key_missing', message, { count: unkeyed.count });
}

function indexBy(
  rows: readonly Row[],
  keyOf: (row: Row) => string | undefined,
  unkeyed: RemarkCounter,
): Map<string, Row[]> {
  const index = new Map<string, Row[]>();
  rows.forEach((row, at) => {
    const key = keyOf(row);
    if (key === undefined) {
      unkeyed.add(at);
      return;
    }
    const bucket = index.get(key);
    if (bucket === undefined) {
      index.set(key, [row]);
    } else {
      bucket.push(row);
    }
  });
  return index;
}

function joinKey(row: Row, paths: readonly FieldPath[], fold: boolean, exact: ExactNumbers): string | undefined {
  const parts: string[] = [];
  for (const path of paths) {
    const text = scalarText(readField(row, path), exact);
    if (text === undefined || text === '') {
      return undefined;
    }
    parts.push(fold ? normaliseName(text) : text);
  }
  return JSON.stringify(parts);
}
