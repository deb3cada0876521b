import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import * as builtins from '../../../core/expr/builtins';
import * as condition from '../../../core/expr/condition';
import * as reference from '../../../core/expr/reference';
import * as template from '../../../core/expr/template';

const folder = join(__dirname, '../../../core/expr');
const sources = readdirSync(folder).map((name): [string, string] => [name, readFileSync(join(folder, name), 'utf8')]);

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
    /\bRegExp\b/,
    /\.(match|matchAll|search|replace|replaceAll)\(/,
    /\.test\(/,
    /\bany\b(?=[\s>;,)\]]*[;,>)\]=])/,
  ];

  it.each(sources)('%s is deterministic and has no regular expression', (_name, source) => {
    const code = source
      .replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '')
      .replaceAll(/'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"/g, "''");
    for (const pattern of banned) expect(pattern.exec(code)?.[0]).toBeUndefined();
  });

  it.each(sources)('%s imports only pure neighbours', (_name, source) => {
    const imports = [...source.matchAll(/from '([^']+)'/g)].map(([, path = '']) => path);
    for (const path of imports) {
      expect(path).toMatch(/^(\.\/[a-z-]+|\.\.\/base\/[a-z0-9-]+|\.\.\/errors\/app-error|\.\.\/engine\/clock)$/);
    }
  });
});
