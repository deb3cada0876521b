import { ownField } from '../../base/json';
import { fail } from '../failure';
import { columnsOf, setField, type Row } from '../rows';

/** A column of other rows, and its name beside the own ones. */
export interface TakenColumn {
  source: string;
  as: string;
}

/**
 * Columns taken from the other side, and under which name; decided once for all rows. They take `prefix`; without one,
 * a name that the own side has too becomes `<name>_<column>`. `once`: own columns that stand for those of the other
 * side.
 */
export function takenColumns(
  left: readonly Row[],
  right: readonly Row[],
  { name, prefix, once }: { name: string; prefix: string; once: ReadonlySet<string> },
): TakenColumn[] {
  const own = new Set(columnsOf(left));
  const taken = new Set(own);
  const columns: TakenColumn[] = [];
  for (const source of columnsOf(right)) {
    if (prefix === '' && once.has(source)) continue;
    const plain = prefix + source;
    const as = prefix === '' && own.has(plain) ? `${name}_${source}` : plain;
    if (taken.has(as)) fail('field_exists', `both sides have a field \`${as}\`: give another \`prefix\`.`);
    taken.add(as);
    columns.push({ source, as });
  }
  return columns;
}

/** A row with the columns of another; null where there is no other. */
export function beside(row: Row, other: Row | undefined, columns: readonly TakenColumn[]): Row {
  const merged: Row = { ...row };
  for (const { source, as } of columns)
    setField(merged, as, other === undefined ? null : (ownField(other, source) ?? null));
  return merged;
}

/** A row of the other side alone: null in the own columns, but for those of `once`. */
export function alone(
  other: Row,
  own: readonly string[],
  columns: readonly TakenColumn[],
  once: ReadonlySet<string>,
): Row {
  const row: Row = {};
  for (const name of own) setField(row, name, once.has(name) ? (ownField(other, name) ?? null) : null);
  return beside(row, other, columns);
}
