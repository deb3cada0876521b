import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { testEgress } from './egress';
import type { Egress } from '../../infra/egress/egress';
import { ownEveryAddress, report } from './own-network';
import { PRIVATE_HOSTS, PUBLIC_ADDRESSES } from './private-addresses';

/**
 * Runs in a network namespace of its own, where every address belongs to this machine: a decoy answers at all of
 * them, and every sent packet can be counted. Prints each attempt and what arrived.
 */
const PORT = 80;
const TIMEOUT_MS = 20_000;

interface Tried {
  what: string;
  code: string;
}

export interface DecoyReport {
  /** Address that the guard must refuse, and the number of packets that were sent meanwhile. */
  refused: Tried[];
  packets: number;
  /** Address that the guard must let through, and the addresses where the request arrived. */
  let_through: Tried[];
  reached: string[];
  /** Redirects and changing names: the result, and where a request arrived. */
  turned: Tried[];
  turned_reached: string[];
  /** Control without the guard: the decoys answer and the counter counts; otherwise the test would prove nothing. */
  control_reached: string[];
  control_packets: number;
}

const arrived: string[] = [];

async function main(): Promise<DecoyReport> {
  ownEveryAddress();
  await startDecoy();
  const controls = ['10.0.0.1', '169.254.169.254', '127.0.0.1', '100.64.0.1', 'fd00:ec2::254', '64:ff9b::7f00:1'];
  const before = packets();
  for (const host of controls) await knock(host);
  const control = { control_reached: taken(), control_packets: packets() - before };
  const refused = await tryRefused();
  const through = await tryPublic();
  const turned = await tryTurning();
  return { ...control, ...refused, ...through, ...turned };
}

/** Listens at port 80 of every address; `/to?…` redirects, and no connection is kept. */
async function startDecoy(): Promise<void> {
  const server = createServer((request, response) => {
    const [, target] = /^\/to\?(.*)$/.exec(request.url ?? '') ?? [];
    response.setHeader('connection', 'close');
    if (target === undefined) response.end('decoy');
    else response.writeHead(302, { location: decodeURIComponent(target) }).end();
  });
  server.on('connection', ({ localAddress = '' }) => arrived.push(localAddress.replace(/^::ffff:/, '')));
  server.unref();
  await new Promise<void>((resolve) => server.listen(PORT, '::', resolve));
}

async function tryRefused(): Promise<Pick<DecoyReport, 'refused' | 'packets'>> {
  const refused: Tried[] = [];
  const before = packets();
  // Names are resolved here: the address is the only answer to a name, or follows an allowed one.
  const byUrl = testEgress({ allow: [], resolve: () => Promise.resolve(['127.0.0.1']) });
  for (const host of PRIVATE_HOSTS) {
    for (const scheme of ['http', 'https']) refused.push(await fetched(byUrl, `${scheme}://${host}/`));
    const bare = host.replace(/^\[|\]$/g, '');
    refused.push(await tried(`socket ${bare}`, byUrl.socket({ host: bare, port: PORT, timeoutMs: TIMEOUT_MS })));
    const address = new URL(`http://${host}/`).hostname.replace(/^\[|\]$/g, '');
    for (const answer of [[address], [PUBLIC_ADDRESSES[0] ?? '', address]]) {
      const byName = testEgress({ allow: [], resolve: () => Promise.resolve(answer) });
      refused.push(await fetched(byName, 'http://rebound.example.org/', answer.join(' ')));
    }
  }
  return { refused, packets: packets() - before };
}

async function tryPublic(): Promise<Pick<DecoyReport, 'let_through' | 'reached'>> {
  taken();
  const egress = testEgress();
  const let_through: Tried[] = [];
  for (const address of PUBLIC_ADDRESSES) {
    let_through.push(await fetched(egress, `http://${address.includes(':') ? `[${address}]` : address}/`));
  }
  return { let_through, reached: taken() };
}

/** Requests that begin outside and turn inside: by a redirect, or by another answer to the same name. */
async function tryTurning(): Promise<Pick<DecoyReport, 'turned' | 'turned_reached'>> {
  const [good = ''] = PUBLIC_ADDRESSES;
  const turned: Tried[] = [];
  const plain = testEgress();
  // A header can carry no other letters.
  for (const host of PRIVATE_HOSTS.filter((each) => /^[ -~]+$/.test(each))) {
    turned.push(await fetched(plain, `http://${good}/to?${encodeURIComponent(`http://${host}/`)}`));
  }
  for (const path of ['', 'to?%2Fnext', `to?${encodeURIComponent('http://other.example.org/')}`]) {
    const answers = [good, '10.0.0.1'];
    const rebinding = testEgress({ allow: [], resolve: () => Promise.resolve([answers.shift() ?? '10.0.0.1']) });
    // The connection of the first request is closed, so that the second one opens another.
    if (path === '') await fetched(rebinding, 'http://api.example.org/');
    turned.push(await fetched(rebinding, `http://api.example.org/${path}`, `rebound ${path}`));
  }
  return { turned, turned_reached: [...new Set(taken())] };
}

function fetched(egress: Egress, url: string, what = url): Promise<Tried> {
  return tried(what, egress.fetch({ method: 'GET', url, timeoutMs: TIMEOUT_MS }));
}

async function tried(what: string, attempt: Promise<unknown>): Promise<Tried> {
  return attempt.then(
    () => ({ what, code: 'ok' }),
    (error: unknown) => ({ what, code: String((error as { code?: unknown }).code) }),
  );
}

/** Requests that arrived since the last call. */
function taken(): string[] {
  return arrived.splice(0);
}

/** All packets that were sent in this namespace: the loopback is the only interface. */
function packets(): number {
  const line = /^\s*lo:\s*(.*)$/m.exec(readFileSync('/proc/net/dev', 'utf8'))?.[1] ?? '';
  return Number(line.split(/\s+/)[1]);
}

function knock(host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(PORT, host, () => socket.end('GET / HTTP/1.0\r\n\r\n'));
    socket.resume().on('close', () => resolve());
    socket.on('error', reject);
  });
}

report(main);
