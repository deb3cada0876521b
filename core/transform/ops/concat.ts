import { fail } from '../failure';
import type { Operation } from '../operation';
import { namedFields } from '../params';
import { checkCount } from '../rows';
import { otherRows } from './other-rows';

/** `{with: name | [names]}`: the rows of other inputs of the step after the own ones. */
export const concat: Operation = (rows, params, { extra, remarks }) => {
  const names = namedFields(params, ['with']) ?? [];
  if (names.length === 0) {
    fail('invalid_operation', '`with` is empty: expected the name of another input of the step.');
  }
  let joined = rows;
  for (const { as } of names) {
    const others = otherRows(extra, as, remarks);
    if (joined.length === 0 || others.length === 0) remarks.emptyListTaken();
    joined = joined.concat(others);
    checkCount(joined.length);
  }
  return joined;
};
