import { canonicalJson } from '../../core/base/canonical-json';
import { isJsonObject, ownField, type Json, type JsonObject } from '../../core/base/json';
import type { ActRow } from '../../infra/db/stores/approval-acts.store';
import type { ApprovalRow } from '../../infra/db/stores/approvals.store';
import type { EditChangeDto } from './dto/approval-view.dto';

type Edited = Pick<ApprovalRow, 'action' | 'edits' | 'decided_by' | 'decided_at'>;

/** Fields that the edits of a request changed, each with the person who set its present value. */
export function changesOf(row: Edited, history: readonly ActRow[]): EditChangeDto[] {
  if (row.edits === null) return [];
  const asked = isJsonObject(row.action) ? ownField(row.action, 'inputs') : undefined;
  const before = isJsonObject(asked) ? asked : {};
  const now = { ...before, ...row.edits };
  const acts = history.filter(({ kind }) => kind === 'edited');
  return differences(before, now, []).map((path) => {
    const was = valueAt(before, path);
    const is = valueAt(now, path);
    return {
      field: path.join('.'),
      ...(was === undefined ? {} : { before: was }),
      ...(is === undefined ? {} : { now: is }),
      ...authorOf(row, { acts, before, path, is }),
    };
  });
}

interface Change {
  acts: readonly ActRow[];
  before: JsonObject;
  path: readonly string[];
  is: Json | undefined;
}

/** The first of the edits since which it has this value. None: the edit came with the decision. */
function authorOf(row: Edited, { acts, before, path, is }: Change): Pick<EditChangeDto, 'by' | 'at'> {
  const has = ({ body }: ActRow): boolean =>
    isSame(valueAt({ ...before, ...(isJsonObject(body) ? body : {}) }, path), is);
  const act = acts[acts.findLastIndex((each) => !has(each)) + 1];
  if (act !== undefined) return { by: act.actor, at: act.at };
  return row.decided_by === null || row.decided_at === null ? {} : { by: row.decided_by, at: row.decided_at };
}

/** Paths of what differs: objects are compared field by field, everything else as a whole. */
function differences(before: JsonObject, now: JsonObject, path: readonly string[]): string[][] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(now)])];
  return names.flatMap((name) => {
    const [was, is] = [ownField(before, name), ownField(now, name)];
    const place = [...path, name];
    if (isSame(was, is)) return [];
    return isJsonObject(was) && isJsonObject(is) ? differences(was, is, place) : [place];
  });
}

function valueAt(value: Json, path: readonly string[]): Json | undefined {
  return path.reduce<Json | undefined>(
    (inner, name) => (isJsonObject(inner) ? ownField(inner, name) : undefined),
    value,
  );
}

function isSame(one: Json | undefined, other: Json | undefined): boolean {
  if (one === undefined || other === undefined) return one === other;
  return canonicalJson(one) === canonicalJson(other);
}
