import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { CATALOGUE, COMPANY, PULL, validate } from './harness';

const PAGE = readFileSync(join(__dirname, '..', '..', '..', 'docs', 'playbooks.md'), 'utf8');
const BLOCKS = [...PAGE.matchAll(/```yaml (playbook|steps)\n([\s\S]*?)```/g)].map(([, kind = '', text = '']) => ({
  kind,
  text,
  line: text.split('\n')[0],
}));
const HEAD = `id: test\n${COMPANY.replace('inputs: [', 'inputs: [{name: threshold, type: number}, ')}\nsteps:\n${PULL}`;

function textOf(kind: string, text: string): string {
  return kind === 'playbook' ? text : HEAD + text.replace(/^(?=.)/gm, '  ');
}

describe('docs/playbooks.md', () => {
  it('has examples', () => expect(BLOCKS.length).toBeGreaterThanOrEqual(10));

  it.each(BLOCKS)('$line is free of errors', ({ kind, text }) => {
    expect(CATALOGUE.connectorSlugs()).toEqual(['irs']);
    expect(validate(textOf(kind, text)).filter((problem) => problem.code !== 'unused_output')).toEqual([]);
  });
});
