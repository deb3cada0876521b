import { CliError, type CliProblem, EXIT, type ExitCode } from '../errors';
import { clientName } from './client-name';
import type { Page } from './types';
import { readServerEvents, type ServerEvent } from './server-events';

const BASE = '/api/agent-factory';

/** Calls of the public API. Every failure is a CliError. */
export class Api {
  constructor(
    readonly origin: string,
    private readonly key?: string,
  ) {}

  url(path: string): string {
    return `${this.origin}${BASE}${path}`;
  }

  get<Body>(path: string): Promise<Body> {
    return this.json<Body>('GET', path);
  }

  post<Body>(path: string, body: object, headers: Record<string, string> = {}): Promise<Body> {
    return this.json<Body>('POST', path, { body: JSON.stringify(body), headers });
  }

  /** The items of a list, over so many of its pages. */
  async pages<Item>(path: string, most = Infinity): Promise<Item[]> {
    const all: Item[] = [];
    const sign = path.includes('?') ? '&' : '?';
    let cursor: string | undefined;
    for (let no = 0; no < most && (no === 0 || cursor !== undefined); no++) {
      const next = cursor === undefined ? '' : `${sign}cursor=${encodeURIComponent(cursor)}`;
      const page: Page<Item> = await this.get(`${path}${next}`);
      all.push(...page.items);
      cursor = page.next_cursor;
    }
    return all;
  }

  /** Sends a request whose answer has no body. */
  async send(method: 'POST' | 'DELETE', path: string): Promise<void> {
    // A delete by name on the command line means the current version.
    await this.call(method, path, method === 'DELETE' ? { headers: { 'if-match': '*' } } : {});
  }

  async upload<Body>(path: string, bytes: Buffer, headers: Record<string, string>): Promise<Body> {
    const body = new Uint8Array(bytes);
    const sent = { ...headers, 'content-type': 'application/octet-stream' };
    return (await (await this.call('POST', path, { body, headers: sent })).json()) as Body;
  }

  async bytes(path: string): Promise<Buffer> {
    const response = await this.call('GET', path);
    return Buffer.from(await response.arrayBuffer());
  }

  /** Events of a run after the given id, until the connection ends. */
  async *events(runId: string, lastId: string | undefined, signal?: AbortSignal): AsyncGenerator<ServerEvent> {
    const headers: Record<string, string> = { accept: 'text/event-stream' };
    if (lastId !== undefined) headers['last-event-id'] = lastId;
    const response = await this.call('GET', `/runs/${encodeURIComponent(runId)}/events`, { headers, signal });
    if (response.body) yield* readServerEvents(response.body);
  }

  private async json<Body>(method: string, path: string, init: RequestInit = {}): Promise<Body> {
    const headers = { 'content-type': 'application/json', ...(init.headers as Record<string, string> | undefined) };
    const response = await this.call(method, path, init.body === undefined ? init : { ...init, headers });
    return (await response.json()) as Body;
  }

  private async call(method: string, path: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers);
    headers.set('x-af-client', clientName());
    if (this.key !== undefined) headers.set('x-api-key', this.key);
    let response: Response;
    try {
      response = await fetch(this.url(path), { ...init, method, headers });
    } catch (error) {
      if (init.signal?.aborted) throw error;
      throw new CliError(
        'not_reachable',
        `No API answers at ${this.origin}. Start it with "npm start", or name another with AF_URL.`,
        EXIT.unreachable,
      );
    }
    if (!response.ok) throw await refusal(response);
    return response;
  }
}

async function refusal(response: Response): Promise<CliError> {
  const text = await response.text();
  const body = parseProblem(text);
  const message = body.detail ?? `The API answered ${response.status} ${response.statusText}.`;
  return new CliError(
    body.code ?? `http_${response.status}`,
    message,
    exitCodeOf(response.status),
    body.problems ?? [],
  );
}

function exitCodeOf(status: number): ExitCode {
  if (status === 502 || status === 503 || status === 504) return EXIT.unreachable;
  return status === 400 || status === 413 || status === 415 || status === 422 ? EXIT.invalid : EXIT.failed;
}

function parseProblem(text: string): { code?: string; detail?: string; problems?: CliProblem[] } {
  try {
    return JSON.parse(text) as ReturnType<typeof parseProblem>;
  } catch {
    return {};
  }
}
