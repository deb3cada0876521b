import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Json } from '../../core/base/json';
import { applyMapping } from '../../core/connector/apply-mapping';
import { readSource } from '../../core/playbook/source';
import { boundValues } from '../../connectors/call/bound-values';
import { readJson } from '../../connectors/http/bodies/read-json';
import { decoderOf } from '../../connectors/kinds/database/values';
import { convertText } from '../../core/connector/convert';
import { parseJsonText } from '../../connectors/formats/text/json-text';
import { parseJsonText as parseModelAnswer } from '../../infra/llm/json-text';
import { schemaCheck } from '../../infra/llm/schema-check';
import { parseJsonBody } from '../../src/http/json-body';
import { numberSpelling, sameValue } from '../core/base/numbers';

/** Doors that keep what is written: as number where a double gives it back, else as text. */
const KEEPING: [string, (spelling: string) => unknown][] = [
  ['a body of a request', (text) => (parseJsonBody(Buffer.from(`{"n":${text}}`)) as { n: unknown }).n],
  ['an answer of a source', (text) => (readJson(Buffer.from(`[${text}]`), 'utf-8').data as Json[])[0]],
  ['a line of JSON Lines', (text) => (parseJsonText(`{"n":1}\n{"n":${text}}`) as { n: unknown }[])[1]?.n],
  [
    'an answer of a model',
    (text) => (parseModelAnswer(`{"n":${text}}`) as unknown as { value: { n: unknown } }).value.n,
  ],
  ['a numeric of a database', (text) => decoderOf(1700)(text)],
  ['a jsonb of a database', (text) => (decoderOf(3802)(`[${text}]`) as Json[])[0]],
];

/** Doors of a declared number: the number, or nothing and a word about it. */
const REFUSING: [string, (spelling: string) => unknown][] = [
  ['a text of a file, type number', (text) => convertText(text, 'number')],
  ['a text of a file, type integer', (text) => convertText(text, 'integer')],
  ['the transform number', (text) => mapped(text).value],
  ['a parameter of an endpoint', sent],
  ['a definition in YAML', (text) => inYaml(text)?.value],
];

function mapped(text: string): { value: unknown; told: string[] } {
  const mapping = { results_path: 'r', fields: { n: { path: 'n', transforms: [{ op: 'number', decimal: '.' }] } } };
  const { records, mismatches } = applyMapping(mapping as never, [{ n: text }]);
  const value = (records[0] as { n: Json }).n;
  return { value: value ?? undefined, told: mismatches.map(({ path, found }) => `${path} ${found}`) };
}

function sent(text: string): unknown {
  try {
    const parameter = { name: 'amount', type: 'number', in: 'body', required: true };
    return [...boundValues([parameter as never], { amount: text }).values()][0];
  } catch {
    return undefined;
  }
}

function inYaml(text: string): { value: unknown; codes: string[] } | undefined {
  const read = readSource(`n: ${text}`);
  const codes = read.problems.sorted().map(({ code }) => code);
  if (codes.includes('invalid_number')) return undefined;
  return { value: (read.document?.toJson() as { n: unknown } | undefined)?.n, codes };
}

describe('numbers at the doors', () => {
  it.each(KEEPING)('%s keeps its value, or its text', (_door, through) => {
    fc.assert(
      fc.property(numberSpelling, (text) => {
        const found = through(text);
        expect([text, found, sameValue(found, text)]).toEqual([text, found, true]);
      }),
    );
  });

  it.each(REFUSING)('%s has its value, or refuses it', (_door, through) => {
    fc.assert(
      fc.property(numberSpelling, (text) => {
        const found = through(text);
        if (found !== undefined) expect([text, found, sameValue(found, text)]).toEqual([text, found, true]);
      }),
    );
  });

  it('03-text-id-to-number.md: nothing is rounded, and the refusal says what to do', () => {
    const ids = ['7615917337495251231', '9007199254740993', '12345678901234567.89'];
    for (const id of ids) {
      expect(convertText(id, 'number')).toBeUndefined();
      expect(mapped(id)).toEqual({ value: undefined, told: [`r[0].n ${id}`] });
      const parameter = { name: 'amount', type: 'number', in: 'body', required: true } as never;
      expect(() => boundValues([parameter], { amount: id })).toThrow(/`amount` must be of type number.*as string/s);
    }
    expect(convertText('1234.50', 'number')).toBe(1234.5);
  });

  it('24-trailing-zero.yaml: a spelling that a number loses is warned of, whichever it is', () => {
    for (const text of ['1.10', '0x1F', '0o17', '12e3', '+5', '.5', '100.00']) {
      expect([text, inYaml(text)?.codes]).toEqual([text, ['number_spelling']]);
    }
    expect(inYaml('0123')?.codes).toEqual(['leading_zero']);
    expect(inYaml('1_000')).toEqual({ value: '1_000', codes: ['number_spelling'] });
    for (const text of ['1.1', '31', '-0.25', '1e+21', '"1.10"'])
      expect([text, inYaml(text)?.codes]).toEqual([text, []]);
    for (const text of ['9007199254740993', '1e400', '0.12345678901234567890', '0x20000000000001', '.inf'])
      expect([text, inYaml(text)]).toEqual([text, undefined]);
  });

  it('a model may answer with a number that a double does not hold, where a number is asked for', () => {
    const check = schemaCheck({
      type: 'object',
      properties: { id: { type: 'integer' }, n: { anyOf: [{ type: 'number' }, { type: 'null' }] } },
    });
    expect(check({ id: '9007199254740993', n: '0.12345678901234567890' })).toEqual([]);
    expect(check({ id: '0.12345678901234567890', n: 'x' })).toHaveLength(2);
    expect(check({ id: '5', n: '5' })).toHaveLength(2);
  });
});
