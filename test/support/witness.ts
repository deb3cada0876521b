import { createHash } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Json } from '../../core/base/json';
import { newFolder } from './run-folder';

export interface Seen {
  /** Milliseconds since 1970. */
  at: number;
  method: string;
  path: string;
  /** `Idempotency-Key`; empty where none came. */
  key: string;
  /** SHA-256 of the body. */
  bodyHash: string;
  body: Json;
  headers: IncomingMessage['headers'];
}

interface Answer {
  status?: number;
  headers?: Record<string, string>;
  /** Text is sent as it is, anything else as JSON. */
  body?: Json;
  delayMs?: number;
  /** Closes the connection without an answer. */
  cut?: boolean;
}

export type Script = (seen: Seen) => Answer | undefined | Promise<Answer | undefined>;

/** A request that W has received and not answered yet. */
export interface Held {
  seen: Seen;
  release(answer?: Answer): void;
}

/**
 * W: an outside server that remembers every request and answers by script. It is the judge of what really left the
 * product, so it keeps its own file and shares nothing with the product.
 */
export class Witness {
  readonly seen: Seen[] = [];
  private script: Script | undefined;
  private readonly waiting = new Set<() => void>();

  private constructor(
    private readonly server: ReturnType<typeof createServer>,
    private readonly file: string,
  ) {}

  static async start(): Promise<Witness> {
    const server = createServer();
    const witness = new Witness(server, path.join(newFolder('witness'), 'requests.jsonl'));
    server.on('request', (request, response) => {
      witness.take(request, response).catch(() => response.destroy());
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return witness;
  }

  /** `host:port`, for AF_EGRESS_ALLOW. */
  get address(): string {
    return `127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  get url(): string {
    return `http://${this.address}`;
  }

  /** Undefined from the script = the default answer: 200 and the received key. */
  respond(script: Script | undefined): void {
    this.script = script;
  }

  /** Holds back the next request that matches. The script answers the others. */
  hold(fits: (seen: Seen) => boolean = () => true): Promise<Held> {
    const before = this.script;
    return new Promise((resolve) => {
      let taken = false;
      this.script = (seen) => {
        if (taken || !fits(seen)) return before?.(seen);
        taken = true;
        return new Promise<Answer>((answer) => resolve({ seen, release: (given = {}) => answer(given) }));
      };
    });
  }

  /** Resolves when so many matching requests have arrived. */
  async arrived(fits: (seen: Seen) => boolean, count = 1): Promise<Seen[]> {
    for (;;) {
      const found = this.seen.filter(fits);
      if (found.length >= count) return found;
      await new Promise<void>((resolve) => this.waiting.add(resolve));
    }
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise<void>((resolve) => this.server.close(() => resolve()));
  }

  private async take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const seen = describe(request, Buffer.concat(chunks));
    this.seen.push(seen);
    const { headers: _headers, body: _body, ...line } = seen;
    appendFileSync(this.file, `${JSON.stringify(line)}\n`);
    for (const wake of this.waiting) wake();
    this.waiting.clear();
    await send(response, (await this.script?.(seen)) ?? {}, seen);
  }
}

function describe(request: IncomingMessage, body: Buffer): Seen {
  const text = body.toString('utf8');
  return {
    at: Date.now(),
    method: request.method ?? '',
    path: request.url ?? '',
    key: String(request.headers['idempotency-key'] ?? ''),
    bodyHash: createHash('sha256').update(body).digest('hex'),
    body: text === '' ? null : (JSON.parse(text) as Json),
    headers: request.headers,
  };
}

async function send(response: ServerResponse, answer: Answer, seen: Seen): Promise<void> {
  if (answer.delayMs !== undefined) await sleep(answer.delayMs);
  if (answer.cut === true) {
    response.destroy();
    return;
  }
  const { status = 200, headers, body = { ok: true, key: seen.key } } = answer;
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(typeof body === 'string' ? body : JSON.stringify(body));
}
