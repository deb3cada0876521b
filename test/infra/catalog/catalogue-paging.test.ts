import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { isJsonObject, type Json, type JsonObject } from '../../../core/base/json';
import { pathOf } from '../../../core/connector/field-rule';
import type { Pagination, RestConnector, RestEndpoint } from '../../../core/connector/types';
import { readPath } from '../../../connectors/mapping/mapped-pages';
import { DATA_DIR, describeWithData } from '../../support/data';
import { SOURCE_SECRETS, SOURCES } from '../../support/sources/by-template';
import { type RunningSource, startSource } from '../../support/sources/serve';
import { connectorDeps, testContext, callEndpoint, directTransport } from '../../support/connector-deps';
import { ROWS } from './endpoint-rows/all-rows';
import type { Row } from './endpoint-rows/row';
import { templates } from './templates';

const TEMPLATES = templates();

/** Lists that were recorded shorter than a page: the place of the next page is looked for in the one answer. */
const ONE_PAGE = [
  'congress-gov.bill_cosponsors',
  'congress-gov.bill_committees',
  'congress-gov.bill_actions',
  'congress-gov.bill_amendments',
  'congress-gov.related_bills',
  'congress-gov.bill_texts',
  'congress-gov.members',
  'fec-contributions.committee_totals',
  'github-repos.pull_requests',
  'github-repos.get_org_members',
];

interface Paged {
  id: string;
  endpoint: string;
  pagination: Pagination;
  row: Row;
}

function paged(): Paged[] {
  return Object.entries(ROWS).flatMap(([id, rows]) =>
    Object.entries((TEMPLATES.get(id)!.definition as RestConnector).endpoints).flatMap(([endpoint, { pagination }]) => {
      const [row] = [...(rows[endpoint] ?? [])].sort((one, other) => (other.pages ?? 0) - (one.pages ?? 0));
      return pagination === undefined || row === undefined ? [] : [{ id, endpoint, pagination, row }];
    }),
  );
}

it('every endpoint that pages is called for more than one page, or is known to have one', () => {
  const short = paged().filter(({ row }) => (row.pages ?? 0) < 2);
  expect(short.map(({ id, endpoint }) => `${id}.${endpoint}`).sort()).toEqual([...ONE_PAGE].sort());
});

describeWithData('fec', 'pages of the catalogue are those of their sources', () => {
  describe.each(Object.keys(ROWS).filter((id) => paged().some((each) => each.id === id)))('%s', (id) => {
    let source: RunningSource;
    beforeAll(async () => {
      source = await startSource(SOURCES[id]!);
    });
    afterAll(() => source.close());

    const own = paged().filter((each) => each.id === id);
    it.each(own.map((each): [string, Paged] => [each.endpoint, each]))('%s', async (endpoint, { pagination, row }) => {
      const deps = connectorDeps({ allow: [{ host: '127.0.0.1', port: source.port }], secretValues: SOURCE_SECRETS });
      const send = directTransport(deps.egress);
      const asked: { url: URL; body: Json }[] = [];
      const answers: Json[] = [];
      const { retired: _retired, ...template } = TEMPLATES.get(id)!.definition;
      const exchange: typeof send = async (one) => {
        const { url, body } = one.request;
        asked.push({ url: new URL(url), body: body === undefined ? null : parsed(Buffer.from(body).toString()) });
        const done = await send(one);
        answers.push(parsed(Buffer.from(done.response.body).toString()));
        return done;
      };
      const call = { definition: source.lead(template), endpoint, inputs: row.inputs ?? {}, context: testContext() };
      await callEndpoint({ ...deps, exchange }, call);
      await deps.egress.close();
      expect(answers).toHaveLength(row.pages ?? 1);
      for (const path of leadsOn(pagination)) {
        // Answers with a next page contain its place; others at least the object around it.
        const place = answers.length > 1 ? path : path.replace(/\.?[^.]+$/, '');
        const found = place === '' ? answers[0] : readPath(answers[0], place);
        expect([path, found ?? undefined]).toEqual([path, expect.anything()]);
      }
      if (pagination.type === 'next_url') return;
      const all = asked.map(({ url, body }) => ({ ...Object.fromEntries(url.searchParams), ...variables(body) }));
      const names = namesOf(pagination);
      const rest = all.map((sent) =>
        Object.fromEntries(Object.entries(sent).filter(([name]) => !names.includes(name))),
      );
      // Other parts of the request stay the same, so that each page is one of the same list.
      for (const each of rest) expect(each).toEqual(rest[0]);
      expect(new Set(all.map((sent) => JSON.stringify(names.map((name) => sent[name])))).size).toBe(all.length);
      if (pagination.size_param !== undefined)
        for (const sent of all) expect(Number(sent[pagination.size_param])).toBe(pagination.size);
      if (pagination.type === 'page' || pagination.type === 'offset') {
        const by = pagination.type === 'page' ? 1 : (pagination.size ?? 0);
        const places = all.map((sent) => Number(sent[pagination.param ?? ''] ?? pagination.start));
        expect(places).toEqual(places.map((_place, at) => pagination.start + at * by));
      }
    });
  });
});

function parsed(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return null;
  }
}

/** Fields of a body beside its query: the variables of GraphQL, else its own fields. */
function variables(body: Json): JsonObject {
  if (!isJsonObject(body)) return {};
  return isJsonObject(body['variables']) ? body['variables'] : body;
}

/** Paths of an answer that lead to the next page. */
function leadsOn({ next_path, cursor_path, keys }: Pagination): string[] {
  return [next_path, cursor_path, ...Object.values(keys ?? {})].filter((path) => path !== undefined);
}

/** Parameters that pages are asked for with. */
function namesOf({ param, size_param, keys }: Pagination): string[] {
  return [param, size_param, ...Object.keys(keys ?? {})].filter((name) => name !== undefined);
}

/** Endpoints of the template that the recorded document speaks of. */
const DESCRIBED = [
  'candidate_committees',
  'committee_candidates',
  'find_candidate_names',
  'find_committee_names',
  'search_candidates',
  'search_committees',
  'search_contributions',
];

interface Document {
  paths: Record<string, { get: { parameters: { name: string; in: string }[]; responses: Json } }>;
  definitions: Record<string, { properties: Record<string, { items?: { $ref?: string } }> }>;
}

describeWithData('openapi', 'the FEC template is what the source’s own document says', () => {
  const document = (): Document =>
    JSON.parse(readFileSync(resolve(DATA_DIR, 'openapi/openfec_subset_dev.json'), 'utf8')) as Document;
  const template = TEMPLATES.get('fec-contributions')!.definition as RestConnector;
  const endpoints = Object.entries<RestEndpoint>(template.endpoints);

  it('describes as many endpoints of it as the document has paths', () => {
    const { paths } = document();
    const known = endpoints.filter(([, { path }]) => paths[`/v1${path}`] !== undefined);
    expect(known.map(([name]) => name).sort()).toEqual([...DESCRIBED].sort());
    expect(known).toHaveLength(Object.keys(paths).length);
  });

  it.each(DESCRIBED)('%s: its parameters, those of its pages, and its fields', (name) => {
    const { paths, definitions } = document();
    const endpoint = new Map(endpoints).get(name)!;
    const { parameters, responses } = paths[`/v1${endpoint.path}`]!.get;
    const names = parameters.map((parameter) => parameter.name);
    const sent = [
      ...endpoint.parameters.map((parameter) => parameter.name),
      ...(endpoint.pagination === undefined ? [] : namesOf(endpoint.pagination)),
    ];
    expect(sent.filter((name) => !names.includes(name))).toEqual([]);
    const refOf = (text: string): string => text.replace('#/definitions/', '');
    const page = definitions[refOf(/"(#[^"]+)"/.exec(JSON.stringify(responses))?.[1] ?? '')];
    const record = definitions[refOf(page?.properties['results']?.items?.$ref ?? '')];
    const fields = Object.values(endpoint.response_mapping?.fields ?? {}).map((rule) => pathOf(rule).split(/[.[]/)[0]);
    expect(fields.filter((field) => field !== '' && record?.properties[field ?? ''] === undefined)).toEqual([]);
  });
});
