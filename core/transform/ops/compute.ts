import { isJsonObject, ownField, type Json, type JsonObject } from '../../base/json';
import { fail } from '../failure';
import type { Operation } from '../operation';
import { requiredText } from '../params';
import { RemarkCounter } from '../remarks';
import { rowExpression } from '../row-expression';
import { setField, type Row } from '../rows';

/**
 * `{fields: [{as, expression}]}`, or for one `{as, expression}`. An expression names the row's own fields
 * (`{revenue} - {expenses}`) and, where the row has no such field, the step's other inputs; a later one sees
 * the results of those before it. No value = null.
 */
export const compute: Operation = (rows, params, context) => {
  const written = columnsOf(params);
  const computed: Row[] = rows.map((row) => ({ ...row }));
  // Column by column: a later expression knows the columns before it as fields.
  for (const { as, expression } of written) {
    const value = rowExpression(expression, computed, context);
    const unusable = new RemarkCounter();
    computed.forEach((row, index) => setField(row, as, value(row, index, unusable)));
    if (unusable.count === 0) continue;
    const message = `\`${as}\` is not computed in ${unusable.of(rows.length)}: a value is of another type.`;
    context.remarks.add('not_computed', message, { field: as, count: unusable.count });
  }
  return computed;
};

function columnsOf(params: JsonObject): { as: string; expression: Json | undefined }[] {
  const given = ownField(params, 'fields') ?? ownField(params, 'compute');
  const list: Json[] = Array.isArray(given) ? given : [isJsonObject(given) ? given : params];
  return list.map((element) => {
    if (!isJsonObject(element)) {
      fail('invalid_operation', '`fields` holds no record: expected [{as, expression}].');
    }
    return { as: requiredText(element, 'as'), expression: ownField(element, 'expression') };
  });
}
