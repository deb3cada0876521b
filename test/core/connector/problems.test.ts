import { expect, it } from '@jest/globals';
import type { ExpressionChecks } from '../../../core/connector/checks';
import { parseConnector } from '../../../core/connector/parse';
import { changed, FIXTURES, placeOf } from './fixtures';
import { AUTH, GRAPHQL } from './problem-rows/auth-and-graphql';
import { DATA_FEEDS_AND_TOOLS } from './problem-rows/data-feeds-and-tools';
import { PAGES_AND_FILES } from './problem-rows/pages-and-files';
import { REST } from './problem-rows/rest';
import type { Row } from './problem-rows/row';

const CHECKS: ExpressionChecks = {
  xpath: (path) => (path.includes('evil') ? 'no such path' : undefined),
  selector: (selector) => (selector.includes('evil') ? 'no such selector' : undefined),
  sql: (sql) => (sql.includes('DROP') ? { message: 'only reading', at: sql.indexOf('DROP') } : undefined),
};

it.each([...REST, ...AUTH, ...GRAPHQL, ...PAGES_AND_FILES, ...DATA_FEEDS_AND_TOOLS])(
  '%s',
  (...[_what, text, code, marker, more]) => {
    const { definition, problems } = parseConnector(text, CHECKS);
    const errors = problems.filter((problem) => problem.severity === 'error');
    expect(definition).toBeUndefined();
    expect(errors.map((problem) => problem.code)).toContain(code);
    const found = errors.filter((problem) => problem.code === code);
    if (marker !== '') {
      expect(found).toContainEqual(expect.objectContaining(placeOf(text, marker)));
    }
    if (more !== undefined) {
      expect(found.map((problem) => problem.message + (problem.suggestion ?? '')).join(' ')).toContain(more);
    }
  },
);

it.each<Row>([
  ['a pool that has no effect', FIXTURES['database'] ?? '', 'ignored_field', 'pool_size'],
  ['an action that comes later', FIXTURES['existing-tool'] ?? '', 'not_available', 'search_web'],
  ['an uncommon field of a feed', changed('rss-feed', 'link: link', 'link: url'), 'unknown_reference', 'url, category'],
])('%s is a warning', (_what, text, code, marker) => {
  const { definition, problems } = parseConnector(text, CHECKS);
  expect(definition).toBeDefined();
  expect(problems).toContainEqual(expect.objectContaining({ severity: 'warning', code, ...placeOf(text, marker) }));
});
