import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import type { Json } from '../../../core/base/json';
import { evaluateExpr, parseCondition } from '../../../core/expr/condition';
import { FUNCTION_GROUPS } from '../../../core/expr/function-docs';
import { functionNames } from '../../../core/expr/functions';
import { parseReference, walkPath } from '../../../core/expr/reference';
import { parseTemplate, renderTemplate } from '../../../core/expr/template';
import { positionAt } from '../../../core/expr/problem-text';
import { functionsSection } from './functions-page';
import { scopeLookup, type Scope } from './support';

const PAGE = join(__dirname, '../../../docs/expressions.md');
const SECTION = /(?<=### Functions\n\n.*?\n\n).*?(?=\n\n### Date formats)/s;
const page = readFileSync(PAGE, 'utf8');
const scope = JSON.parse(/```json scope\n(.*?)```/s.exec(page)?.[1] ?? '') as Scope;
const lookup = scopeLookup(scope);

/** Cells of the rows of the table whose header row is `header`; backticks around a cell are dropped. */
function table(header: string): string[][] {
  const lines = page.split('\n');
  const start = lines.indexOf(header);
  expect(start).toBeGreaterThan(-1);
  const end = lines.findIndex((line, index) => index > start && !line.startsWith('|'));
  return lines.slice(start + 2, end).map((line) => {
    const cells = line.slice(2, -2).split(' | ');
    return cells.map((cell) => (/^`[^`]*`$/.test(cell.trim()) ? cell.trim().slice(1, -1) : cell.trim()));
  });
}

describe('docs/expressions.md', () => {
  it.each(table('| path | meaning | example | value |'))('path %s: %s', (_path, _meaning, example = '', value = '') => {
    expect(resolve(example)).toEqual(JSON.parse(value));
  });

  it.each(table('| not defined | why |'))('%s is not defined: %s', (reference = '') => {
    expect(resolve(reference)).toBeUndefined();
  });

  it.each(table('| rule | template | value |'))('%s: %s', (_rule, template = '', value = '') => {
    const parsed = parseTemplate(template);
    expect(parsed.ok && renderTemplate(parsed.value, lookup)).toEqual(JSON.parse(value));
  });

  it.each(table('| expression | value |'))('%s gives %s', (text = '', value = '') => {
    const parsed = parseCondition(text);
    expect(parsed.ok && evaluateExpr(parsed.value, lookup)).toEqual(JSON.parse(value));
  });

  it.each(table('| text | column | advice |'))('%s is refused at column %s', (text = '', column = '', advice = '') => {
    const parsed = parseCondition(text);
    if (parsed.ok) throw new Error('expected a problem');
    expect(parsed.problem.code).toBe('invalid_expression');
    expect(positionAt(text, parsed.problem.offset)).toEqual({ line: 1, column: Number(column) });
    expect(parsed.problem.suggestion).toBe(advice.replaceAll('\\`', '`'));
  });

  it.each(['{name, age}', '{color: red}', '{a.b }'])('%s is refused in a template', (text) => {
    const parsed = parseTemplate(text);
    expect(parsed.ok ? '' : parsed.problem.suggestion).toContain('{{');
  });

  it('has a table of every function, with an example that gives what the table says', () => {
    const section = functionsSection(lookup);
    if (process.env['AF_WRITE_DOCS'] === '1')
      writeFileSync(
        PAGE,
        page.replace(SECTION, () => section),
      );
    expect(SECTION.exec(readFileSync(PAGE, 'utf8'))?.[0]).toBe(section);
    expect(FUNCTION_GROUPS.flatMap(({ functions }) => Object.keys(functions)).sort()).toEqual(functionNames().sort());
  });
});

function resolve(text: string): Json | undefined {
  const parsed = parseReference(text);
  if (!parsed.ok) throw new Error(parsed.problem.message);
  return walkPath(scope[parsed.value.root], parsed.value.path);
}
