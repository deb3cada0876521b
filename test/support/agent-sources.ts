import { readFileSync } from 'node:fs';
import path from 'node:path';
import { DATA_DIR } from './data';
import { fecSource } from './agent-fec';
import { AGENT_KEYS, constructed, recorded, type Row, type Source } from './agent-material';
import { sendJson, startHttpSource, type HttpSource } from './http-source';

export interface AgentSources extends HttpSource {
  /** Sources that refuse every call for now: `fec`, `propublica`. */
  refusing: Set<string>;
}

/**
 * Sources of the three agents at the wire: recorded answers, and invented ones beside them (see the README of the
 * fixtures). Each has a path of its own: `/fec/...`, `/propublica/...`.
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
