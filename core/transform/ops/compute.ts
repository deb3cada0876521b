import type { ExactNumbers } from '../../base/exact-numbers';
import { isJsonObject, ownField, type Json, type JsonObject } from '../../base/json';
import { fail } from '../failure';
import type { Operation } from '../operation';
import { requiredText } from '../params';
import { rowExpression } from '../row-expression';
import { setField, type Row } from '../rows';

/**
 * `{fields: [{as, expression}]}`, or for one `{as, expression}`. An expression names the row's own fields
 * (`{revenue} - {expenses}`) and, where the row has no such field, the step's other inputs; a later one sees
 * the results of those before it. No value = null.
 */
export const compute: Operation = (rows, params, extra, exact) => {
  const columns = columnsOf(params, extra, exact);
  return rows.map((row) => {
    const result: Row = { ...row };
    for (const column of columns) {
      setField(result, column.as, column.value(result));
    }
    return result;
  });
};

function columnsOf(
  params: JsonObject,
  extra: JsonObject,
  exact: ExactNumbers,
): { as: string; value: (row: Row) => Json }[] {
  const given = ownField(params, 'fields') ?? ownField(params, 'compute');
  const list: Json[] = Array.isArray(given) ? given : [isJsonObject(given) ? given : params];
  return list.map((element) => {
    if (!isJsonObject(element)) {
      fail('invalid_operation', '`fields` holds no record: expected [{as, expression}].');
    }
    return { as: requiredText(element, 'as'), value: rowExpression(ownField(element, 'expression'), extra, exact) };
  });
}
