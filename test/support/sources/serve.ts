import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { JsonObject } from '../../../core/base/json';
import type { ConnectorDefinition } from '../../../core/connector/types';
import { boundDefinition } from '../../../connectors/call/binding';
import type { Route, Source, SourceAnswer, SourceRequest } from './source';

export interface RunningSource {
  port: number;
  /** Requests that were answered by a route or refused, in order: `GET host/path?query`. */
  seen: string[];
  /** Allows this many requests from now on; then the source asks to wait. */
  allow(requests: number, retryAfter?: string): void;
  /** The definition with every address replaced by this server's. */
  lead(definition: ConnectorDefinition): ConnectorDefinition;
  close(): Promise<void>;
}

/** Serves one source on a local port. The first part of a path is the host that the source has in the world. */
export async function startSource(source: Source): Promise<RunningSource> {
  const seen: string[] = [];
  let room = Number.POSITIVE_INFINITY;
  let wait = '7';
  const server = createServer((request, response) => {
    void bodyOf(request).then((body) => {
      const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      const { answer, line } = respond(source, { request, body, origin, refuse: room-- <= 0 ? wait : undefined });
      seen.push(line);
      response.writeHead(answer.status ?? 200, answer.headers ?? {}).end(answer.body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    seen,
    allow: (requests, retryAfter = '7') => {
      room = requests;
      wait = retryAfter;
    },
    lead: (definition) => {
      const origin = `http://127.0.0.1:${port}`;
      const binding = { permissions: {}, credentials: {}, config_overrides: overridesTo(definition, origin) };
      return boundDefinition(withFeeds(definition, origin), binding);
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

interface Received {
  request: IncomingMessage;
  body: string;
  origin: string;
  /** The answer that asks to wait, if one is due. */
  refuse: string | undefined;
}

function respond(source: Source, { request, body, origin, refuse }: Received): { answer: SourceAnswer; line: string } {
  const url = new URL(request.url ?? '/', origin);
  const [, first = '', ...rest] = url.pathname.split('/');
  // A relative link on a page begins at the root of its host.
  const named = source.hosts.includes(first);
  const address = named ? `${first}/${rest.join('/')}` : `${source.hosts[0] ?? ''}${url.pathname}`;
  const asked: SourceRequest = {
    method: request.method ?? 'GET',
    address,
    parts: {},
    query: url.searchParams,
    headers: request.headers,
    body: body === '' ? {} : (JSON.parse(body) as Record<string, unknown>),
    here: (other) => led(other, origin),
  };
  const answer = refuse === undefined ? answerOf(source, asked) : source.limited(refuse);
  return { answer, line: `${asked.method} ${address}${url.search}` };
}

function answerOf(source: Source, request: SourceRequest): SourceAnswer {
  const refused = source.admits?.(request);
  if (refused !== undefined) return refused;
  for (const route of source.routes) {
    const parts = partsOf(route, request);
    const answer = parts === undefined ? undefined : route.answer({ ...request, parts });
    if (answer !== undefined) return answer;
  }
  return source.missing(request);
}

function partsOf(route: Route, request: SourceRequest): Record<string, string> | undefined {
  if ((route.method ?? 'GET') !== request.method) return undefined;
  const wanted = route.at.split('/');
  const given = request.address.split('/');
  if (wanted.length !== given.length) return undefined;
  const parts: Record<string, string> = {};
  for (const [index, piece] of wanted.entries()) {
    const value = decodeURIComponent(given[index] ?? '');
    const [, before = '', name, after = ''] = /^([^{]*)\{(\w+)\}(.*)$/.exec(piece) ?? [];
    if (name === undefined ? value !== piece : !value.startsWith(before) || !value.endsWith(after)) return undefined;
    if (name !== undefined) parts[name] = value.slice(before.length, value.length - after.length);
  }
  return parts;
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

/** `config_overrides` that lead a definition to this server, as a binding would hold them. */
function overridesTo({ connection, endpoints }: ConnectorDefinition, origin: string): JsonObject {
  const own = Object.entries(endpoints).flatMap(([name, endpoint]) =>
    'base_url' in endpoint && endpoint.base_url !== undefined ? [[name, led(endpoint.base_url, origin)]] : [],
  );
  return {
    ...('base_url' in connection ? { base_url: led(connection.base_url, origin) } : {}),
    endpoint_base_urls: Object.fromEntries(own) as JsonObject,
  };
}

/** A binding cannot change the addresses of feeds, which are in the definition itself. */
function withFeeds(definition: ConnectorDefinition, origin: string): ConnectorDefinition {
  if (definition.type !== 'rss_feed') return definition;
  const feeds = definition.connection.feeds.map((feed) => ({ ...feed, url: led(feed.url, origin) }));
  return { ...definition, connection: { ...definition.connection, feeds } };
}

/** The host becomes the first part of the path. */
function led(address: string, origin: string): string {
  return address.replace(/^https?:\//, origin);
}
