import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

export interface SeenRequest {
  method: string;
  url: string;
  headers: IncomingMessage['headers'];
  rawHeaders: string[];
  body: string;
}

/** A third party at the wire: gives scripted answers and remembers the requests. */
export interface HttpSource {
  url: string;
  port: number;
  seen: SeenRequest[];
  /** TCP connections that were opened, also those that never sent a request. */
  connections(): number;
  /** Called for every connection. */
  onConnection(hear: (socket: Socket) => void): void;
  close(): Promise<void>;
}

export type Answer = (request: SeenRequest, response: ServerResponse) => void;

export async function startHttpSource(answer: Answer, host = '127.0.0.1'): Promise<HttpSource> {
  const seen: SeenRequest[] = [];
  let connections = 0;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const entry = {
        method: request.method ?? '',
        url: request.url ?? '',
        headers: request.headers,
        rawHeaders: request.rawHeaders,
        body: Buffer.concat(chunks).toString('utf8'),
      };
      seen.push(entry);
      answer(entry, response);
    });
  });
  server.on('connection', () => {
    connections += 1;
  });
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${port}`,
    port,
    seen,
    connections: () => connections,
    onConnection: (hear) => void server.on('connection', hear),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

export function sendJson(response: ServerResponse, value: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}
