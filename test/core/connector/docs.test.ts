import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, it } from '@jest/globals';
import { parseConnector } from '../../../core/connector/parse';
import { CONNECTOR_TYPES } from '../../../core/connector/types';
import { languagePage } from './language-page';

const DOCS = resolve(__dirname, '../../../docs');
const page = readFileSync(resolve(DOCS, 'connectors.md'), 'utf8');
const examples = [...page.matchAll(/```yaml\n([\s\S]*?)```/g)].map((match) => match[1] ?? '');

it('the examples of the page have no errors, and every type has one', () => {
  const read = examples.map((example) => parseConnector(example));
  for (const { problems } of read) {
    expect(problems.filter((problem) => problem.severity === 'error')).toEqual([]);
  }
  expect(new Set(read.map(({ definition }) => definition?.type))).toEqual(new Set(CONNECTOR_TYPES));
});

it('docs/connector-fields.md is what the schema says', () => {
  const file = resolve(DOCS, 'connector-fields.md');
  const text = languagePage();
  if (process.env['AF_WRITE_DOCS'] === '1') writeFileSync(file, text);
  expect(readFileSync(file, 'utf8')).toBe(text);
});
