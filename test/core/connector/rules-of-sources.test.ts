import { describe, expect, it } from '@jest/globals';
import type { Json, JsonObject } from '../../../core/base/json';
import type { ExpressionChecks } from '../../../core/connector/checks';
import { parseConnector } from '../../../core/connector/parse';

const CHECKS: ExpressionChecks = {
  xpath: (path) => (path.includes('evil') ? 'cannot be read' : undefined),
  selector: (path) => (path.includes('evil') ? 'cannot be read' : undefined),
  sql: (text) => (text.includes('DROP') ? { at: text.indexOf('DROP'), message: 'changes' } : undefined),
};

/** `code place` of each problem, places from the endpoint or the connection on. */
function faults(type: string, connection: Json, endpoint: JsonObject): string[] {
  const text = JSON.stringify({ id: 'a', type, connection, endpoints: { e: endpoint } });
  const { problems } = parseConnector(text, CHECKS);
  return problems.map(({ code, field }) =>
    `${code} ${(field ?? '').replace(/^(endpoints\.e|connection)\.?/, '')}`.trim(),
  );
}

it.each(['rest_api', 'graphql', 'database', 'rss_feed', 'file_parser', 'existing_tool', 'web_scraper'])(
  'a connector of type %s without its connection is told so once',
  (type) => {
    const { problems } = parseConnector(JSON.stringify({ id: 'a', type, endpoints: { e: {} } }));
    expect(problems).toMatchObject([{ code: 'missing_field', field: 'connection' }]);
  },
);

describe('feeds', () => {
  const feed = { name: 'f', url: 'https://a.example' };
  const of = (endpoint: JsonObject, feeds: Json = [feed]): string[] => faults('rss_feed', { feeds }, endpoint);
  it.each<[string, string[], string[]]>([
    ['none', of({}, []), ['missing_field']],
    ['no list', of({}, 'f'), ['invalid_type feeds']],
    ['one twice', of({}, [feed, feed]), ['duplicate_name feeds.1.name']],
    ['one called all', of({}, [{ ...feed, name: 'all' }]), ['duplicate_name feeds.0.name']],
    ['one without a name', of({}, [{ url: 'https://a.example' }]), ['missing_field feeds.0']],
    ['one without an address', of({}, [{ name: 'f' }]), ['missing_field feeds.0']],
    ['a query in its address', of({}, [{ ...feed, url: 'https://a.example/?x=1' }]), []],
    ['an address that is none', of({}, [{ ...feed, url: 'a.example' }]), ['invalid_address feeds.0.url']],
    ['a question of ours', of({ parameters: [{ name: 'since_hours', type: 'integer' }] }), []],
    [
      'a question that a feed does not know',
      of({ parameters: [{ name: 'q' }] }),
      ['unknown_reference parameters.0.name'],
    ],
    ['a question of another type', of({ parameters: [{ name: 'since_hours' }] }), ['invalid_value parameters.0.type']],
    ['a feed that is there', of({ parameters: [{ name: 'feed_name', default: 'f' }] }), []],
    ['all feeds', of({ parameters: [{ name: 'feed_name', default: 'all' }] }), []],
    [
      'a feed that is not',
      of({ parameters: [{ name: 'feed_name', default: 'g' }] }),
      ['unknown_reference parameters.0.default'],
    ],
    ['a field of items', of({ response_mapping: { fields: { t: 'title', c: { path: 'link' } } } }), []],
    [
      'a field that items have not',
      of({ response_mapping: { fields: { t: 'tittle', c: { path: 'linc' }, k: { constant: 1 } } } }),
      ['unknown_reference response_mapping.fields.t', 'unknown_reference response_mapping.fields.c'],
    ],
    [
      'an entity of a mapped field',
      of({ response_mapping: { entity_extraction: [{ field: 'title', entity_type: 'ORG' }] } }),
      [],
    ],
    [
      'an entity of no field',
      of({ response_mapping: { entity_extraction: [{ field: 'tittle', entity_type: 'ORG' }] } }),
      ['unknown_reference response_mapping.entity_extraction.0.field'],
    ],
  ])('%s', (_what, found, expected) => {
    expect(found).toEqual(expected);
  });

  it('all and a name that comes twice are told apart', () => {
    const text = (feeds: Json): string =>
      JSON.stringify({ id: 'a', type: 'rss_feed', connection: { feeds }, endpoints: { e: {} } });
    expect(parseConnector(text([feed, feed])).problems[0]?.message).toContain('`f`');
    expect(parseConnector(text([{ ...feed, name: 'all' }])).problems[0]?.message).toMatch(/every feed/);
  });
});

describe('tools', () => {
  const all = (connection: JsonObject, endpoint: JsonObject = {}): string[] =>
    faults('existing_tool', connection, endpoint);
  /** Leaves out the warning that the search cannot be carried out yet. */
  const of = (...given: Parameters<typeof all>): string[] =>
    all(...given).filter((fault) => fault !== 'not_available tool');
  const search = { tool: 'search_web' };
  it.each<[string, string[], string[]]>([
    ['an action', all({ tool: 'save_to_workspace' }), []],
    ['an action that is declared alone', all(search), ['not_available tool']],
    ['no action', of({}), ['missing_field']],
    ['an unknown action', of({ tool: 'search_webb' }), ['unknown_reference tool']],
    ['an action that calls connectors', of({ tool: 'connector' }), ['unknown_reference tool']],
    [
      'code by its name',
      of({ tool_module: 'os', tool_function: 'system' }),
      ['not_allowed tool_module', 'not_allowed tool_function'],
    ],
    ['an action of its own', of(search, { tool: 'query_journal' }), []],
    ['an unknown action of its own', of(search, { tool: 'nope' }), ['unknown_reference tool']],
    ['what must be given', of(search, { parameters: [{ name: 'query', required: true }] }), []],
    ['what must be given is not declared', of(search, { parameters: [] }), ['missing_field parameters']],
    [
      'what the action does not take',
      of(search, { parameters: [{ name: 'query' }, { name: 'colour' }] }),
      ['unknown_reference parameters.1.name'],
    ],
    [
      'its own result and a mapping',
      of(search, { passthrough: true, response_mapping: {} }),
      ['invalid_value response_mapping'],
    ],
    ['a mapping', of(search, { response_mapping: { fields: { t: 'title' } } }), []],
    [
      'a parameter in the query',
      of(search, { parameters: [{ name: 'query', in: 'query' }] }),
      ['invalid_value parameters.0.in'],
    ],
  ])('%s', (_what, found, expected) => {
    expect(found).toEqual(expected);
  });
});

describe('databases', () => {
  const AUTH = { type: 'connection_string', secret: { secret: 'D' } };
  const of = (endpoint: JsonObject, connection: JsonObject = { auth: AUTH }): string[] =>
    faults('database', connection, endpoint);
  it.each<[string, string[], string[]]>([
    ['a statement', of({ sql: 'SELECT :a', parameters: [{ name: 'a' }] }), []],
    ['a cast', of({ sql: "SELECT 'x'::text" }), []],
    ['no statement', of({}), ['missing_field']],
    ['a statement that changes', of({ sql: 'SELECT 1; DROP TABLE t' }), ['invalid_sql sql']],
    ['a placeholder that is not declared', of({ sql: 'SELECT :a' }), ['unknown_reference sql']],
    ['a numbered placeholder', of({ sql: 'SELECT $1', parameters: [] }), ['unknown_reference sql']],
    [
      'a parameter that is not used',
      of({ sql: 'SELECT 1', parameters: [{ name: 'a' }] }),
      ['unknown_reference parameters.0.name'],
    ],
    ['free statements', of({ free_sql: true }), []],
    [
      'free statements with their parameters',
      of({ free_sql: true, parameters: [{ name: 'sql' }, { name: 'params', type: 'object' }] }),
      [],
    ],
    [
      'free statements with another parameter',
      of({ free_sql: true, parameters: [{ name: 'q' }] }),
      ['invalid_value parameters.0'],
    ],
    ['free statements and one of its own', of({ free_sql: true, sql: 'SELECT 1' }), ['invalid_value sql']],
    [
      'a parameter in the query',
      of({ sql: 'SELECT :a', parameters: [{ name: 'a', in: 'query' }] }),
      ['invalid_value parameters.0.in'],
    ],
    ['no login', of({ sql: 'SELECT 1' }, {}), ['missing_field']],
    [
      'a login of another kind',
      of({ sql: 'SELECT 1' }, { auth: { ...AUTH, type: 'basic' } }),
      ['invalid_value auth.type'],
    ],
    [
      'a host apart',
      of({ sql: 'SELECT 1' }, { auth: AUTH, host: 'h', password: 'p' }),
      ['not_allowed host', 'not_allowed password'],
    ],
    ['one that writes', of({ sql: 'SELECT 1' }, { auth: AUTH, read_only: false }), ['not_allowed read_only']],
    ['one that reads', of({ sql: 'SELECT 1' }, { auth: AUTH, read_only: true }), []],
    ['a pool', of({ sql: 'SELECT 1' }, { auth: AUTH, pool_size: 3 }), ['ignored_field pool_size']],
    ['another product', of({ sql: 'SELECT 1' }, { auth: AUTH, driver: 'mysql' }), ['invalid_value driver']],
  ])('%s', (_what, found, expected) => {
    expect(found).toEqual(expected);
  });
});

describe('GraphQL', () => {
  const of = (endpoint: JsonObject): string[] => faults('graphql', { base_url: 'https://a.example' }, endpoint);
  const query = 'query ($a: Int!, $b: Int) { x(a: $a, b: $b) }';
  const a = { name: 'a', type: 'integer' };
  it.each<[string, string[], string[]]>([
    ['all that is needed', of({ query, variables: [a] }), []],
    ['what must be given is not declared', of({ query, variables: [{ name: 'b' }] }), ['unknown_reference query']],
    [
      'a variable that the text has not',
      of({ query, variables: [a, { name: 'c' }] }),
      ['unknown_reference variables.1.name'],
    ],
    ['the operation of the text', of({ query, variables: [a], operation: 'query' }), []],
    ['another operation', of({ query, variables: [a], operation: 'mutation' }), ['invalid_value operation']],
    ['pages of a variable', of({ query, variables: [a], pagination: { type: 'page', param: 'b' } }), []],
    [
      'pages of none',
      of({ query, variables: [a], pagination: { type: 'page', param: 'c' } }),
      ['unknown_reference pagination.param'],
    ],
    [
      'keys of none',
      of({ query, variables: [a], pagination: { type: 'keyset', keys: { c: 'x' } } }),
      ['unknown_reference pagination.keys.c'],
    ],
    [
      'pages by links',
      of({ query, variables: [a], pagination: { type: 'link_header' } }),
      ['invalid_value pagination.type'],
    ],
    ['a cache of a mutation', of({ query: 'mutation { a }', cache: { ttl_seconds: 5 } }), ['invalid_value cache']],
    ['a text that is none', of({ query: 'query {' }), ['invalid_query query']],
    ['no text', of({}), ['missing_field']],
  ])('%s', (_what, found, expected) => {
    expect(found).toEqual(expected);
  });
});

describe('pages of a site', () => {
  const title = { field: 'title', selector: 'h1' };
  const of = (endpoint: JsonObject): string[] =>
    faults('web_scraper', { base_url: 'https://a.example' }, { path: '/a', ...endpoint });
  it.each<[string, string[], string[]]>([
    ['a field', of({ fields: [title] }), []],
    ['no fields', of({}), ['missing_field']],
    ['an empty list of fields', of({ fields: [] }), []],
    ['a field without a name', of({ fields: [{ selector: 'h1' }] }), ['missing_field fields.0']],
    [
      'a field with a name that is none',
      of({ fields: [{ ...title, field: 'a b' }] }),
      ['invalid_value fields.0.field'],
    ],
    ['a field twice', of({ fields: [title, title] }), ['duplicate_name fields.1.field']],
    ['two sources', of({ fields: [{ ...title, xpath: '//h1' }] }), ['invalid_value fields.0']],
    ['no source', of({ fields: [{ field: 'a' }] }), ['missing_field fields.0']],
    ['an XPath that cannot be read', of({ fields: [{ field: 'a', xpath: 'evil' }] }), ['invalid_path fields.0.xpath']],
    ['a link to follow', of({ fields: [title], follow: { selector: 'a' } }), []],
    ['no link to follow', of({ fields: [title], follow: {} }), ['missing_field follow']],
    [
      'a link that cannot be read',
      of({ fields: [title], follow: { selector: 'evil' } }),
      ['invalid_path follow.selector'],
    ],
    [
      'more pages than there may be',
      of({ fields: [title], follow: { selector: 'a', max_pages: 101 } }),
      ['invalid_type follow.max_pages'],
    ],
    ['what a page must have', of({ fields: [title], response_mapping: { has: 'h1' } }), []],
    [
      'what cannot be asked of it',
      of({ fields: [title], response_mapping: { has: 'evil' } }),
      ['invalid_path response_mapping.has'],
    ],
    [
      'results of JSON',
      of({ fields: [title], response_mapping: { results_are: 'list' } }),
      ['invalid_value response_mapping.results_are'],
    ],
    ['a mapping of a field', of({ fields: [title], response_mapping: { fields: { t: 'title[0]' } } }), []],
    [
      'a mapping of no field',
      of({ fields: [title], response_mapping: { fields: { t: 'titel' } } }),
      ['invalid_path response_mapping.fields.t'],
    ],
    [
      'an entity of no field',
      of({ fields: [title], response_mapping: { entity_extraction: [{ field: 'x', entity_type: 'ORG' }] } }),
      ['unknown_reference response_mapping.entity_extraction.0.field'],
    ],
    ['a body', of({ fields: [title], parameters: [{ name: 'x', in: 'body' }] }), ['invalid_value parameters.0.in']],
    [
      'a null in an address',
      of({ fields: [title], parameters: [{ name: 'x', default: null }] }),
      ['invalid_value parameters.0.default'],
    ],
  ])('%s', (_what, found, expected) => {
    expect(found).toEqual(expected);
  });
});
