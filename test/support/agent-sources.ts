import type { ServerResponse } from 'node:http';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { DATA_DIR } from './data';
import { sendJson, startHttpSource, type HttpSource, type SeenRequest } from './http-source';

/** Keys that the sources want. */
export const AGENT_KEYS = { FEC_API_KEY: 'fec-key-of-the-tests', OPENCORPORATES_API_TOKEN: 'oc-token-of-the-tests' };
export const CONSTRUCTED = path.join(__dirname, '../fixtures/constructed/agents');

type Row = Record<string, unknown>;
type Source = (url: URL, request: SeenRequest, response: ServerResponse) => void;

const constructed = (name: string): unknown => JSON.parse(readFileSync(path.join(CONSTRUCTED, name), 'utf8'));
const recorded = (name: string): unknown => JSON.parse(readFileSync(path.join(DATA_DIR, name), 'utf8'));

export interface AgentSources extends HttpSource {
  /** Sources that refuse every call for now: `fec`, `propublica`. */
  refusing: Set<string>;
}

/**
 * The sources of the three agents at the wire: recorded answers, and those made beside them (see the README of the
 * fixtures). Each lies under a path of its own: `/fec/...`, `/propublica/...`.
 */
export async function startAgentSources(): Promise<AgentSources> {
  const sources: Record<string, Source> = {
    fec: fecSource(),
    propublica: propublicaSource(),
    opencorporates: opencorporatesSource(),
    sec: secSource,
    wikidata: wikidataSource,
  };
  const refusing = new Set<string>();
  const server = await startHttpSource((request, response) => {
    const url = new URL(request.url, 'http://source');
    const [, name = '', ...rest] = url.pathname.split('/');
    url.pathname = rest.join('/');
    const source = sources[name];
    if (source === undefined) sendJson(response, { error: 'no such source' }, 404);
    else if (refusing.has(name)) sendJson(response, { error: 'forbidden' }, 403);
    else source(url, request, response);
  });
  return { ...server, refusing };
}

/** 120 small gifts fill a second page. */
function smallGifts(): Row[] {
  return Array.from({ length: 120 }, (_, index) => ({
    sub_id: `9920000000000000${String(index).padStart(4, '0')}`,
    committee_id: 'C00557835',
    committee: { committee_id: 'C00557835', name: 'SHANNON FOR SENATE' },
    contributor_name: `SMALLDONOR, NUMBER ${index + 1}`,
    contributor_id: null,
    contributor_employer: 'RETIRED',
    contributor_state: 'OK',
    contributor_zip: '73154',
    contribution_receipt_amount: 10,
    contribution_receipt_date: new Date(Date.UTC(2014, 0, 1 + index)).toISOString().slice(0, 10),
    memoed_subtotal: false,
  }));
}

function fecSource(): Source {
  const page = recorded('fec/openfec_schedules_schedule_a_dev.json') as { results: Row[] };
  const receipts = [...page.results, ...(constructed('fec-receipts.json') as Row[]), ...smallGifts()];
  const disbursements = constructed('fec-disbursements.json') as Row[];
  const committees = constructed('fec-committees.json') as Row[];
  return (url, request, response) => {
    if (request.headers['x-api-key'] !== AGENT_KEYS.FEC_API_KEY) {
      sendJson(response, { error: { code: 'API_KEY_INVALID', message: 'An invalid api_key was supplied.' } }, 403);
      return;
    }
    const asked = (name: string): string[] => url.searchParams.getAll(name);
    const among = (row: Row, field: string): boolean =>
      asked(field).length === 0 || asked(field).includes(String(row[field]));
    switch (url.pathname) {
      case '/v1/schedules/schedule_a/':
        return sendJson(
          response,
          keyset(
            receipts.filter((row) => among(row, 'committee_id') && wordsFit(row, asked('contributor_name'))),
            url,
            'contribution_receipt_date',
          ),
        );
      case '/v1/schedules/schedule_b/':
        return sendJson(
          response,
          keyset(
            disbursements.filter((row) => among(row, 'committee_id')),
            url,
            'disbursement_date',
          ),
        );
      case '/v1/committees/':
        return sendJson(response, onePage(committees.filter((row) => among(row, 'committee_id'))));
      default:
        return sendJson(response, { status: 404, message: 'Not found' }, 404);
    }
  };
}

/** Every word of one of the names occurs. */
function wordsFit(row: Row, names: readonly string[]): boolean {
  const words = String(row['contributor_name'])
    .toUpperCase()
    .split(/[^A-Z0-9]+/);
  return (
    names.length === 0 ||
    names.some((name) =>
      name
        .toUpperCase()
        .split(/\s+/)
        .every((word) => words.includes(word)),
    )
  );
}

/** The newest first; a page begins behind the row that `last_index` names. */
function keyset(rows: Row[], url: URL, date: string): object {
  const sorted = [...rows].sort((a, b) => (String(a[date]) < String(b[date]) ? 1 : -1));
  const size = Number(url.searchParams.get('per_page') ?? 20);
  const last = url.searchParams.get('last_index');
  const from = last === null ? 0 : sorted.findIndex((row) => row['sub_id'] === last) + 1;
  const results = sorted.slice(from, from + size);
  const end = results.at(-1);
  return {
    api_version: '1.0',
    results,
    pagination: {
      count: rows.length,
      pages: Math.ceil(rows.length / size),
      per_page: size,
      last_indexes: end === undefined ? null : { last_index: end['sub_id'], [`last_${date}`]: end[date] },
    },
  };
}

function onePage(results: Row[]): object {
  return { api_version: '1.0', results, pagination: { count: results.length, page: 1, pages: 1, per_page: 100 } };
}

function propublicaSource(): Source {
  const organizations: Record<string, unknown> = {
    ...(constructed('propublica-organizations.json') as Record<string, unknown>),
    '311124220': recorded('propublica/organization_311124220.json'),
  };
  return (url, _request, response) => {
    const ein = /^\/organizations\/(\d+)\.json$/.exec(url.pathname)?.[1] ?? '';
    const found = organizations[ein];
    if (found === undefined) sendJson(response, { status: 404, error: 'Not Found' }, 404);
    else sendJson(response, found);
  };
}

interface Company extends Row {
  name: string;
  company_number: string;
}

function opencorporatesSource(): Source {
  const { company } = (recorded('opencorporates/company_gb_SC045439.json') as { results: { company: Company } })
    .results;
  const companies = [company, ...(constructed('opencorporates-companies.json') as Company[])];
  return (url, _request, response) => {
    const send = (results: object, status = 200): void => sendJson(response, { api_version: '0.4', results }, status);
    if (url.searchParams.get('api_token') !== AGENT_KEYS.OPENCORPORATES_API_TOKEN) {
      sendJson(response, { error: { message: 'Invalid Api Token' } }, 401);
      return;
    }
    if (url.pathname === '/companies/search') {
      const begin = (url.searchParams.get('q') ?? '').replace('*', '').toUpperCase();
      const found = companies.filter(({ name }) => name.startsWith(begin)).map((one) => ({ company: one }));
      return send({ companies: found, page: 1, per_page: 30, total_pages: 1, total_count: found.length });
    }
    const number = /^\/companies\/gb\/(\w+)$/.exec(url.pathname)?.[1];
    const found = companies.find((one) => one.company_number === number);
    return found === undefined ? send({}, 404) : send({ company: found });
  };
}

const secSource: Source = (url, request, response) => {
  if (!(request.headers['user-agent'] ?? '').includes('@')) {
    response.writeHead(403, { 'content-type': 'text/html' }).end('<h1>Undeclared Automated Tool</h1>');
    return;
  }
  if (url.pathname === '/submissions/CIK0001318605.json') {
    sendJson(response, recorded('sec/submissions_CIK0001318605.json'));
  } else {
    response
      .writeHead(404, { 'content-type': 'application/xml' })
      .end(readFileSync(path.join(DATA_DIR, 'sec/submissions_not_found.xml')));
  }
};

const wikidataSource: Source = (url, request, response) => {
  const query = url.searchParams.get('query') ?? '';
  if (url.pathname !== '/sparql' || !query.includes('wd:Q990000001 ?property ?other') || request.method !== 'GET') {
    response.writeHead(400, { 'content-type': 'text/plain' }).end('MalformedQueryException');
    return;
  }
  sendJson(response, constructed('wikidata-hierarchy.json'));
};
