import { evaluateExpr, parseCondition } from '../../../core/expr/condition';
import { FUNCTION_GROUPS } from '../../../core/expr/function-docs';
import { signatureOf } from '../../../core/expr/functions';
import type { Lookup } from '../../../core/expr/types';

/** The tables of docs/expressions.md that name each function with an example on the page's values. */
export function functionsSection(lookup: Lookup): string {
  return FUNCTION_GROUPS.map(({ title, functions }) => {
    const rows = Object.entries(functions).map(([name, { says, example }]) =>
      row([`\`${callOf(name)}\``, says, `\`${example}\``, `\`${JSON.stringify(valueOf(example, lookup))}\``]),
    );
    return [
      `#### ${title}`,
      '',
      row(['function', 'value', 'example', 'gives']),
      '| --- | --- | --- | --- |',
      ...rows,
    ].join('\n');
  }).join('\n\n');
}

function row(cells: string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}

/** `pad(value, width, fill?, side?)` */
function callOf(name: string): string {
  const signature = signatureOf(name);
  const named = signature?.parameters.map((parameter) => `${parameter.name}${parameter.isOptional ? '?' : ''}`) ?? [];
  return `${name}(${[...named, ...(signature?.more === undefined ? [] : ['...'])].join(', ')})`;
}

function valueOf(example: string, lookup: Lookup): unknown {
  const parsed = parseCondition(example);
  if (!parsed.ok) throw new Error(`${example}: ${parsed.problem.message}`);
  return evaluateExpr(parsed.value, lookup);
}
