import type { Operation } from '../operation';
import { optionalText, requiredText } from '../params';
import { checkCount, columnsOf, type Row } from '../rows';
import { alone, beside, takenColumns } from './beside';
import { otherRows } from './other-rows';

const NONE: ReadonlySet<string> = new Set();

/**
 * `{with, prefix?}`: rows of two lists side by side, the first with the first. Where one list is longer, its rows stand alone, with
 * null in the columns of the other, which is told.
 */
export const zip: Operation = (rows, params, { extra, remarks }) => {
  const name = requiredText(params, 'with');
  const right = otherRows(extra, name, remarks);
  const columns = takenColumns(rows, right, { name, prefix: optionalText(params, 'prefix', ''), once: NONE });
  if (rows.length === 0 || right.length === 0) remarks.emptyListTaken();
  const own = columnsOf(rows);
  const result: Row[] = rows.map((row, at) => beside(row, right[at], columns));
  for (const row of right.slice(rows.length)) result.push(alone(row, own, columns, NONE));
  checkCount(result.length);
  const uneven = Math.abs(rows.length - right.length);
  if (uneven > 0) {
    const message = `${rows.length} records beside ${right.length} of \`${name}\`: ${uneven} have no partner.`;
    remarks.add('uneven', message, { count: uneven });
  }
  return result;
};
