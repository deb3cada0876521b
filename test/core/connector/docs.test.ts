import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, it } from '@jest/globals';
import { parseConnector } from '../../../core/connector/parse';

const page = readFileSync(resolve(__dirname, '../../../docs/connectors.md'), 'utf8');
const examples = [...page.matchAll(/```yaml\n([\s\S]*?)```/g)].map((match) => match[1] ?? '');

it('the examples of the page have no problems', () => {
  expect(examples.length).toBeGreaterThanOrEqual(2);
  for (const example of examples) {
    expect(parseConnector(example).problems).toEqual([]);
  }
});
