import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A source with slow pages. Ends with the process that started it. */
const ANSWER_MS = 20;
const PAGE = 20;

const server = createServer((request, response) => {
  const { searchParams } = new URL(request.url ?? '', 'http://localhost');
  const [walk, page] = [Number(searchParams.get('walk')), Number(searchParams.get('page'))];
  const items = Array.from({ length: PAGE }, (_each, at) => ({
    id: `${walk}-${page}-${at}`,
    recipient: { name: `Recipient ${at}`, state: 'OH' },
    amount: at * 100.5,
    purpose: 'General support of the work of the organisation in its region',
  }));
  const body = JSON.stringify({ results: items, page });
  setTimeout(() => response.writeHead(200, { 'content-type': 'application/json' }).end(body), ANSWER_MS);
});

server.keepAliveTimeout = 600_000;
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }));
process.on('disconnect', () => process.exit(0));
