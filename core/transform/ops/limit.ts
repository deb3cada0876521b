import { fail } from '../failure';
import type { Operation } from '../operation';
import { optionalCount } from '../params';

/** `{count, offset}`; `value` and `limit` are other names of `count`. */
export const limit: Operation = (rows, params, { remarks }) => {
  const count = optionalCount(params, ['count', 'value', 'limit']);
  const offset = optionalCount(params, ['offset']) ?? 0;
  if (count === undefined && offset === 0) {
    fail('invalid_operation', '`count` is empty: expected the number of rows to keep.');
  }
  const kept = rows.slice(offset, count === undefined ? undefined : offset + count);
  const left = rows.length - kept.length;
  if (left > 0) remarks.add('limited', `${kept.length} of ${rows.length} records kept.`, { count: left });
  return kept;
};
