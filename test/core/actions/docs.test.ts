import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { actionsPage } from './actions-page';

const PAGE = join(__dirname, '..', '..', '..', 'docs', 'actions.md');

describe('docs/actions.md', () => {
  it('is what the contracts say', () => {
    const page = actionsPage();
    if (process.env['AF_WRITE_DOCS'] === '1') writeFileSync(PAGE, page);
    expect(readFileSync(PAGE, 'utf8')).toBe(page);
  });
});
