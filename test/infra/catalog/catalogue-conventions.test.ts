import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '../../../core/base/json';
import { AppError } from '../../../core/errors/app-error';
import { describeWithData } from '../../support/data';
import { SOURCE_SECRETS, SOURCES } from '../../support/sources/by-template';
import { type RunningSource, startSource } from '../../support/sources/serve';
import { SOURCE_KEY } from '../../support/sources/source';
import { connectorDeps, testContext, callEndpoint } from '../../support/connector-deps';
import { templates } from './templates';
import type { EndpointResult } from '../../../connectors/call/connector-call';

const TEMPLATES = templates();
const UA = { 'User-Agent': 'Example Research jane@example.org' };
/** The source of the last call, closed since. */
let source: RunningSource;

interface Call {
  template: string;
  endpoint: string;
  inputs?: JsonObject;
  secrets?: Record<string, string>;
  /** Requests that the source lets in before it asks to wait. */
  room?: number;
  retryAfter?: string;
}

async function call({
  template,
  endpoint,
  inputs = {},
  secrets = SOURCE_SECRETS,
  room,
  retryAfter,
}: Call): Promise<EndpointResult> {
  source = await startSource(SOURCES[template]!);
  if (room !== undefined) source.allow(room, retryAfter);
  const deps = connectorDeps({ allow: [{ host: '127.0.0.1', port: source.port }], secretValues: secrets });
  const definition = source.lead(TEMPLATES.get(template)!.definition);
  try {
    return await callEndpoint(deps, { definition, endpoint, inputs, context: testContext() });
  } finally {
    await deps.egress.close();
    await source.close();
  }
}

async function failure(of: Call): Promise<AppError> {
  const error: unknown = await call(of).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof AppError)) throw new Error(`Expected an AppError, got ${String(error)}`);
  return error;
}

const WRONG = Object.fromEntries(Object.keys(SOURCE_SECRETS).map((name) => [name, 'not-the-key']));
const BILL = { congress: 117, bill_type: 'hr', bill_number: 21 };

describeWithData('fec', 'sources of the catalogue', () => {
  describe('who is not let in', () => {
    it.each<[string, string, JsonObject]>([
      ['fec-contributions', 'search_candidates', {}],
      ['congress-gov', 'bill', BILL],
      ['opencorporates', 'company', { jurisdiction_code: 'gb', company_number: 'SC045439' }],
      ['github-repos', 'search_repos', { query: 'ludwig' }],
      ['courtlistener', 'search_opinions', { q: 'x' }],
    ])('%s with a wrong key', async (template, endpoint, inputs) => {
      expect(await failure({ template, endpoint, inputs, secrets: WRONG })).toMatchObject({ code: 'auth_failed' });
    });

    it.each([
      ['sec-edgar', 'company', { cik: '0000940418' }],
      ['wikidata', 'sparql', { query: 'SELECT ?year { }' }],
    ])('%s without a way to reach who asks', async (template, endpoint, inputs) => {
      expect(await failure({ template, endpoint, inputs: { ...inputs, 'User-Agent': 'curl' } })).toMatchObject({
        code: 'auth_failed',
      });
      expect(await failure({ template, endpoint, inputs })).toMatchObject({ code: 'invalid_input' });
      expect(source.seen).toEqual([]);
    });
  });

  describe('who asks too often', () => {
    it.each<[string, string, JsonObject]>([
      ['fec-contributions', 'search_contributions', {}],
      ['propublica-nonprofit', 'search', { q: 'athens', 'state[id]': 'OH' }],
      ['sec-edgar', 'full_text_search', { ...UA, q: 'bank' }],
      ['usaspending', 'search_awards', { filters: { award_type_codes: ['A'] } }],
      ['opencorporates', 'search_companies', { q: 'example' }],
      ['wikidata', 'search', { ...UA, search: 'example' }],
      ['federal-register-api', 'search', { per_page: 20 }],
      ['congress-gov', 'bills', {}],
      ['courtlistener', 'search_dockets', { q: 'interior' }],
      ['github-repos', 'search_repos', { query: 'ludwig' }],
      ['searxng', 'search', { q: 'examples' }],
    ])('%s in the middle of its pages is told when to come again', async (template, endpoint, inputs) => {
      const error = await failure({ template, endpoint, inputs, room: 1, retryAfter: '11' });
      expect(error).toMatchObject({ code: 'rate_limited', details: { retry_after: 11 } });
      expect(source.seen).toHaveLength(2);
    });
  });

  describe('what is not there', () => {
    it.each<[string, string, JsonObject, string]>([
      ['propublica-nonprofit', 'organization', { ein: '000000000' }, 'upstream_not_found'],
      ['sec-edgar', 'company', { ...UA, cik: '0000000001' }, 'upstream_not_found'],
      ['federal-register-api', 'document', { document_number: '0000-00000' }, 'upstream_not_found'],
      ['opencorporates', 'company', { jurisdiction_code: 'gb', company_number: 'NONE' }, 'upstream_not_found'],
      ['congress-gov', 'bill', { ...BILL, bill_number: 9999 }, 'upstream_not_found'],
      ['courtlistener', 'docket', { docket_id: 1 }, 'upstream_not_found'],
      ['usaspending', 'award', { award_id: 'NONE' }, 'upstream_not_found'],
      ['usaspending', 'search_awards', { filters: {} }, 'upstream_rejected'],
      ['wikidata', 'sparql', { ...UA, query: 'no query' }, 'upstream_rejected'],
      ['github-repos', 'user_repos', { login: 'nobody' }, 'graphql_error'],
    ])('%s.%s is a failure with a code, never an empty result', async (template, endpoint, inputs, code) => {
      expect(await failure({ template, endpoint, inputs })).toMatchObject({ code });
    });
  });

  it('a source that is gone is not called', async () => {
    const error = await failure({
      template: 'opensecrets',
      endpoint: 'search_organizations',
      inputs: { org: 'Goldman' },
    });
    expect(error).toMatchObject({ code: 'connector_retired', message: expect.stringContaining('fec-contributions') });
    expect(source.seen).toEqual([]);
  });

  it('keys travel in headers where the source takes them there, and in no error', async () => {
    const error = await failure({ template: 'congress-gov', endpoint: 'bill', inputs: { ...BILL, bill_number: 9999 } });
    expect(source.seen).toEqual(['GET api.congress.gov/v3/bill/117/hr/9999?format=json']);
    const inQuery = await failure({
      template: 'opencorporates',
      endpoint: 'company',
      inputs: { jurisdiction_code: 'gb', company_number: 'NONE' },
    });
    expect(JSON.stringify([error.message, error.details, inQuery.message, inQuery.details])).not.toContain(SOURCE_KEY);
  });
});
