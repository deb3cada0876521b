import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { JsonObject } from '../../../core/base/json';
import type { ConnectorDefinition } from '../../../core/connector/types';
import { readConnector } from '../../../connectors/definition/read-connector';
import { DATA_DIR } from '../../support/data';
import { dataBytes } from '../../support/data-readme';
import { startHttpSource, type HttpSource, type SeenRequest } from '../../support/http-source';
import { connectorDeps, testContext, callEndpoint, type ConnectorDeps } from '../../support/connector-deps';
import { asText } from './results';
import type { EndpointResult } from '../../../connectors/call/connector-call';

export interface ApiRead {
  results_path?: string;
  /** Output field → path. */
  fields?: Record<string, string>;
  format?: 'json' | 'xml' | 'text' | 'csv';
  /** Content type and status that the source answers with. */
  type?: string;
  status?: number;
}

export interface PageRead {
  list_selector?: string;
  fields: JsonObject[];
  follow?: JsonObject;
  response_mapping?: JsonObject;
  /** Path that the page has on its own site. */
  at?: string;
}

/** The product with its connectors, and a source that serves the sample data. */
export class World {
  /** File → connectors that read it. */
  readonly readers = new Map<string, Set<string>>();
  /** Files that lie outside of their own places. */
  private readonly places: { path: string; isAt: (url: URL) => boolean }[] = [];

  private constructor(
    private readonly source: HttpSource,
    readonly deps: ConnectorDeps,
  ) {}

  static async open(): Promise<World> {
    const served: { world?: World } = {};
    const source = await startHttpSource((request, response) => served.world?.answer(request, response));
    const allow = [{ host: '127.0.0.1', port: source.port }];
    const key = { value: 'key-of-the-source', allowedHosts: ['*'] };
    const secrets = { resolve: () => Promise.resolve(key) };
    served.world = new World(source, connectorDeps({ allow, secrets, importRoots: [DATA_DIR] }));
    return served.world;
  }

  async close(): Promise<void> {
    await this.deps.egress.close();
    await this.source.close();
  }

  get url(): string {
    return this.source.url;
  }

  /** An API whose answer is the file. */
  async api(path: string, { format = 'json', type, status, ...mapping }: ApiRead = {}): Promise<EndpointResult> {
    const { kind, name } = partsOf(path);
    const parameters = ['file', 'type', 'status'].map((parameter) => ({ name: parameter }));
    const response_mapping = { ...mapping };
    const endpoint = {
      path: `/${kind}/{file}`,
      parameters,
      response_format: format,
      ...(Object.keys(mapping).length === 0 ? {} : { response_mapping }),
    };
    const text = definition('rest_api', { base_url: this.url }, endpoint);
    const inputs = { file: name, ...(type === undefined ? {} : { type }), ...(status === undefined ? {} : { status }) };
    return this.call(path, `rest_api ${format}`, { text, inputs });
  }

  /** A GraphQL interface whose answer is the file. */
  async graphql(path: string, read: { results_path?: string; fields?: Record<string, string> } = {}) {
    const endpoint = {
      query: 'query Recorded { anything }',
      ...(Object.keys(read).length === 0 ? {} : { response_mapping: read }),
    };
    return this.call(path, 'graphql', { text: definition('graphql', { endpoint: `${this.url}/${path}` }, endpoint) });
  }

  /** The file in a directory that the operator granted. */
  async file(path: string, endpoint: JsonObject): Promise<EndpointResult> {
    const { name } = partsOf(path);
    const extension = name.slice(name.lastIndexOf('.') + 1);
    const text = definition('file_parser', { source: 'directory', accepted_formats: [extension] }, endpoint);
    return this.directory(path, `file_parser ${asText(endpoint['parser'])}`, text);
  }

  /** The file read by a connector that is written down elsewhere. */
  async directory(path: string, reader: string, text: string, endpoint?: string): Promise<EndpointResult> {
    const { kind, name } = partsOf(path);
    const inputs = { directory: kind, files: [name] };
    return this.call(path, reader, { text, inputs, ...(endpoint === undefined ? {} : { endpoint }) });
  }

  async feed(path: string): Promise<EndpointResult> {
    const connection = { feeds: [{ name: 'feed', url: `${this.url}/${path}` }], max_items_per_poll: 1000 };
    const text = definition('rss_feed', connection, {});
    return this.call(path, 'rss_feed', { text, inputs: { since_hours: null } });
  }

  async page(path: string, { at = `/${path}`, ...endpoint }: PageRead): Promise<EndpointResult> {
    this.place(path, ({ pathname, search }) => `${pathname}${search}` === at);
    const text = definition('web_scraper', { base_url: this.url }, { path: at, ...endpoint });
    return this.call(path, 'web_scraper', { text });
  }

  /** `path` is the file that answers. */
  async call(
    path: string,
    reader: string,
    use: { text: string; inputs?: JsonObject; endpoint?: string },
  ): Promise<EndpointResult> {
    this.noteReader(path, reader);
    const inputs = use.inputs ?? {};
    return callEndpoint(this.deps, {
      definition: checked(use.text),
      endpoint: use.endpoint ?? 'read',
      inputs,
      context: testContext({ clock: { now: '2020-01-10T13:00:00Z' }, timeoutMs: 60_000 }),
    });
  }

  /** The file lies also wherever this says. */
  place(path: string, isAt: (url: URL) => boolean): void {
    this.places.push({ path, isAt });
  }

  noteReader(path: string, reader: string): void {
    this.readers.set(path, (this.readers.get(path) ?? new Set()).add(reader));
  }

  private answer({ url }: SeenRequest, response: Parameters<Parameters<typeof startHttpSource>[0]>[1]): void {
    const asked = new URL(url, this.url);
    const place = this.places.find(({ isAt }) => isAt(asked));
    const path = place?.path ?? decodeURIComponent(asked.pathname.slice(1));
    const file = resolve(DATA_DIR, path);
    if (path === '' || path === 'robots.txt' || !existsSync(file)) {
      response.writeHead(404).end();
      return;
    }
    const type = asked.searchParams.get('type') ?? typeOf(path);
    response.writeHead(Number(asked.searchParams.get('status') ?? 200), { 'content-type': type });
    response.end(dataBytes(path));
  }
}

/** A definition with one endpoint, `read`. JSON is the language as well as YAML. */
function definition(type: string, connection: JsonObject, endpoint: JsonObject): string {
  return JSON.stringify({ id: 'sample-data', type, connection, endpoints: { read: endpoint } });
}

/** Definition of a text that was read before: many files are read by the same one. */
const known = new Map<string, ConnectorDefinition>();

function checked(text: string): ConnectorDefinition {
  const before = known.get(text);
  if (before !== undefined) {
    return before;
  }
  const { definition: found, problems } = readConnector(text);
  if (found === undefined || problems.length > 0) {
    throw new Error(`The connector of the test is refused: ${JSON.stringify(problems)}`);
  }
  known.set(text, found);
  return found;
}

function partsOf(path: string): { kind: string; name: string } {
  const [kind = '', name = ''] = path.split('/');
  return { kind, name };
}

function typeOf(path: string): string {
  const types: Record<string, string> = {
    html: 'text/html',
    json: 'application/json',
    srj: 'application/sparql-results+json',
    xml: 'application/xml',
    rss: 'application/rss+xml',
    atom: 'application/atom+xml',
  };
  return types[path.slice(path.lastIndexOf('.') + 1)] ?? 'application/octet-stream';
}
