import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { checkAnthropic, sendAnthropic } from './model-server-anthropic';
import { fitSchema, wantedSchema } from './model-server-fit';
import { checkOpenAi, checkOpenAiKey, sendOpenAi } from './model-server-openai';
import { checkResponses, sendResponses } from './model-server-responses';
import type { Reply, SeenRequest } from './model-server-types';

export type { Reply, SeenRequest } from './model-server-types';

export interface ModelServerOptions {
  port?: number;
  /** Accepted keys; absent = any. */
  keys?: string[];
  /** Answers an empty script with a value that fits the requested schema; otherwise with an error 500. */
  autoFill?: boolean;
}

const PROTOCOLS: Record<string, SeenRequest['protocol']> = {
  '/v1/messages': 'anthropic',
  '/v1/chat/completions': 'openai',
  '/v1/responses': 'openai-responses',
};
const SENDERS = { anthropic: sendAnthropic, openai: sendOpenAi, 'openai-responses': sendResponses };

type Responder = (request: SeenRequest) => Reply | undefined;

/**
 * A stand-in for both providers at the wire: OpenAI's chat completions and responses under `/v1`,
 * Anthropic's messages under `/`. Answers come from a queue, or from a function. Requests that the real API would refuse are
 * refused here too (400). `GET /_requests` and `POST /_script` serve tests in other processes.
 */
export class ModelServer {
  readonly requests: SeenRequest[] = [];
  private readonly queue: Reply[] = [];
  private responder: Responder | undefined;
  private readonly open = new Set<ServerResponse>();

  private constructor(
    private readonly server: Server,
    private readonly options: ModelServerOptions,
  ) {}

  static async start(options: ModelServerOptions = {}): Promise<ModelServer> {
    const server = createServer();
    const self = new ModelServer(server, options);
    server.on('request', (request, response) => {
      self
        .handle(request, response)
        .catch((error: unknown) => json(response, 400, { error: { message: String(error) } }));
    });
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(options.port ?? 0, '127.0.0.1', resolve);
    });
    return self;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }
  get anthropicUrl(): string {
    return `http://127.0.0.1:${this.port}`;
  }
  get openaiUrl(): string {
    return `${this.anthropicUrl}/v1`;
  }

  enqueue(...replies: Reply[]): void {
    this.queue.push(...replies);
  }

  /** Called before the queue is used; undefined = use the queue. */
  respond(responder: Responder | undefined): void {
    this.responder = responder;
  }

  reset(): void {
    this.requests.length = 0;
    this.queue.length = 0;
    this.responder = undefined;
  }

  async close(): Promise<void> {
    for (const response of this.open) {
      response.destroy();
    }
    this.server.closeAllConnections();
    await new Promise<void>((resolve) => this.server.close(() => resolve()));
  }

  private async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.open.add(response);
    response.on('close', () => this.open.delete(response));
    const text = await readBody(request);
    const path = (request.url ?? '/').split('?')[0] ?? '/';
    if (path.startsWith('/_')) {
      return this.control(path, text, response);
    }
    const protocol = PROTOCOLS[path];
    if (protocol === undefined) {
      return json(response, 404, { error: { message: `no such path: ${path}`, type: 'invalid_request_error' } });
    }
    const seen = this.remember(protocol, path, request, text);
    response.on('close', () => {
      seen.aborted = !response.writableFinished;
    });
    await this.answer(seen, response);
  }

  private remember(
    protocol: SeenRequest['protocol'],
    path: string,
    request: IncomingMessage,
    text: string,
  ): SeenRequest {
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
    const seen = {
      protocol,
      path,
      headers,
      body: JSON.parse(text) as Record<string, unknown>,
      at: performance.now(),
      aborted: false,
    };
    this.requests.push(seen);
    return seen;
  }

  private async answer(seen: SeenRequest, response: ServerResponse): Promise<void> {
    const reply = this.refusal(seen) ?? this.responder?.(seen) ?? this.queue.shift() ?? this.unscripted(seen);
    if (reply.delay_ms !== undefined) {
      await sleep(reply.delay_ms);
    }
    if (reply.silent === true) {
      return;
    }
    const body = reply.broken === 'html' ? '<!doctype html><title>gateway</title>' : reply.body;
    if (body !== undefined) {
      response.writeHead(reply.status ?? 200, { 'content-type': 'application/json', ...reply.headers });
      response.end(body);
      return;
    }
    const context = { request: seen, reply, model: String(seen.body['model']) };
    await SENDERS[seen.protocol](context, response);
  }

  private refusal(seen: SeenRequest): Reply | undefined {
    const { keys } = this.options;
    if (seen.protocol === 'anthropic') {
      return checkAnthropic(seen, keys);
    }
    return checkOpenAiKey(seen, keys) ?? (seen.protocol === 'openai' ? checkOpenAi(seen) : checkResponses(seen));
  }

  private unscripted(seen: SeenRequest): Reply {
    const schema = wantedSchema(seen);
    if (this.options.autoFill === true) {
      return schema === undefined ? { text: 'Stand-in answer.' } : { json: fitSchema(schema) };
    }
    return { status: 500, error: { type: 'server_error', message: 'the script of the stand-in is empty' } };
  }

  private control(path: string, text: string, response: ServerResponse): void {
    if (path === '/_script') {
      const replies = JSON.parse(text) as Reply[];
      this.reset();
      this.enqueue(...replies);
    }
    if (path === '/_reset') {
      this.reset();
    }
    json(response, 200, this.requests);
  }
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) {
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}
