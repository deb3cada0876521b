import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import * as builtins from '../../../core/expr/builtins';
import * as condition from '../../../core/expr/condition';
import * as reference from '../../../core/expr/reference';
import * as template from '../../../core/expr/template';

const folder = join(__dirname, '../../../core/expr');
const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name): [string, string] => [name, readFileSync(join(folder, name), 'utf8')]);
const isFunction = (name: string): boolean => name.startsWith('functions/');

describe('the four modules that others import', () => {
  it.each<[string, object, string[]]>([
    ['reference', reference, ['formatReference', 'parseReference', 'walkPath']],
    ['template', template, ['collectReferences', 'parseTemplate', 'renderDefined', 'renderTemplate', 'renderValue']],
    [
      'condition',
      condition,
      ['collectConditionReferences', 'collectNeededReferences', 'evaluateCondition', 'evaluateExpr', 'parseCondition'],
    ],
    ['builtins', builtins, ['isBuiltin', 'resolveBuiltin']],
  ])('%s exports exactly its functions', (_name, module, names) => {
    expect(Object.keys(module).sort()).toEqual(names);
  });
});

describe('every source file', () => {
  /** Workflow code must be deterministic: no clock, chance, locale, environment, I/O or generated code. */
  const banned = [
    /\bDate\b\s*[.(]/,
    /Math\.random/,
    /\btoLocale/,
    /\blocaleCompare\b/,
    /\bIntl\b/,
    /\bprocess\./,
    /\brequire\(/,
    /\beval\(/,
    /\bnew Function\b/,
    /\bset(Timeout|Interval|Immediate)\b/,
    /\bWeakRef\b/,
    /\bany\b(?=[\s>;,)\]]*[;,>)\]=])/,
  ];

  /** Reading is linear by its scanners; functions have patterns of their own, none with a repetition inside of another. */
  const patterns = [/\bRegExp\b/, /\.(match|matchAll|search|replace|replaceAll)\(/, /\.test\(/];

  it.each(sources)('%s is deterministic and has no regular expression', (name, source) => {
    const code = source
      .replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '')
      .replaceAll(/'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"/g, "''");
    const allowed = name === 'functions/patterns.ts' ? '\\brequire\\(' : '';
    for (const pattern of isFunction(name) ? banned : [...banned, ...patterns]) {
      if (pattern.source !== allowed) expect(pattern.exec(code)?.[0]).toBeUndefined();
    }
  });

  it.each(sources)('%s imports only pure neighbours', (_name, source) => {
    const imports = [...source.matchAll(/from '([^']+)'/g)].map(([, path = '']) => path);
    for (const path of imports) {
      expect(path).toMatch(
        /^(\.\/(functions\/)?[a-z-]+|(\.\.\/){1,2}base\/[a-z0-9-]+|\.\.\/[a-z-]+|\.\.\/errors\/app-error|\.\.\/engine\/clock|re2js)$/,
      );
    }
  });
});
