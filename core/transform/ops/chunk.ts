import { fail } from '../failure';
import type { Operation } from '../operation';
import { optionalCount, optionalText } from '../params';
import type { Row } from '../rows';

/** `{size, as?}`: a row for each `size` rows, with its `number` from 1, its `count`, and the rows in the column `rows` or `as`. */
export const chunk: Operation = (rows, params) => {
  const size = optionalCount(params, ['size', 'count']);
  if (size === undefined || size === 0)
    fail('invalid_operation', '`size` is empty: expected the number of rows in each chunk.');
  const as = optionalText(params, 'as', 'rows');
  if (as === 'number' || as === 'count')
    fail('field_exists', `a chunk has a field \`${as}\`: give another name with \`as\`.`);
  const result: Row[] = [];
  for (let from = 0; from < rows.length; from += size) {
    const held = rows.slice(from, from + size);
    result.push({ number: result.length + 1, count: held.length, [as]: held });
  }
  return result;
};
