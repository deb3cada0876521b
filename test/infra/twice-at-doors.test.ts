import { expect, it } from '@jest/globals';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { readInputs } from '../../cli/inputs';
import { parseJsonText, parseOneMeaning } from '../../infra/llm/json-text';
import { parseJsonBody } from '../../src/http/json-body';
import { newFolder } from '../support/run-folder';

/** Duplicate keys from a person or a model are refused: the last value would count silently. */
const TWICE = '{"to": "ann", "more": {"amount": 5, "amount": 500}}';

it('a body of a request', () => {
  expect(() => parseJsonBody(Buffer.from(TWICE))).toThrow(
    expect.objectContaining({
      code: 'duplicate_key',
      category: 'bad_request',
      message: 'The key "amount" stands twice in one object of the body. Send it once.',
    }),
  );
  expect(parseJsonBody(Buffer.from('{"a": [{"a": 1}, {"a": 2}]}'))).toEqual({ a: [{ a: 1 }, { a: 2 }] });
});

it('inputs of the command line', () => {
  expect(() => readInputs({ input: [`edit=${TWICE}`] })).toThrow('The key "amount" stands twice');
  const file = path.join(newFolder('twice'), 'inputs.json');
  writeFileSync(file, TWICE);
  expect(() => readInputs({ input: [], inputs: file })).toThrow(`stands twice in one object of ${file}`);
  // A declared text stays one.
  expect(readInputs({ input: [`edit=${TWICE}`] }, new Map([['edit', 'string']]))).toEqual({ edit: TWICE });
});

it('an answer of a model, fenced or not', () => {
  const refused = { ok: false, message: 'the key "amount" stands twice in one object' };
  expect(parseOneMeaning(TWICE)).toEqual(refused);
  expect(parseOneMeaning(`\`\`\`json\n${TWICE}\n\`\`\``)).toEqual(refused);
  expect(parseOneMeaning('{"a": 1}')).toEqual({ ok: true, value: { a: 1 } });
  // Masking accepts duplicate keys, and reads both values.
  expect(parseJsonText(TWICE)).toMatchObject({ ok: true });
});
