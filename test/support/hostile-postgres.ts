import { TLSSocket, createSecureContext } from 'node:tls';
import type { Socket } from 'node:net';
import { startRawServer, type RawServer } from './raw-server';
import { selfSigned } from './self-signed';

/** The moment at which the flood begins, and its content. */
export type Flood =
  'one long message' | 'notices' | 'settings' | 'a long error' | 'a long description' | 'one long row' | 'expressions';

export interface HostilePostgres extends RawServer {
  /** Bytes of the flood that were handed to the system. */
  sent(): number;
}

const GB = 1024 ** 3;
const PIECE = Buffer.alloc(1024 * 1024, 'x');
const READY = message('Z', Buffer.from('I'));
const AUTH_OK = message('R', Buffer.from([0, 0, 0, 0]));
const SSL_REQUEST = 80_877_103;
/** Half a megabyte of text that PostgreSQL's grammar accepts. */
const EXPRESSIONS = Array.from({ length: 500 }, (_none, n) => row('a check', `${n} < ${'1 + '.repeat(250)}1`));

/** A server that speaks PostgreSQL's protocol until it floods the client. */
export async function startHostilePostgres(flood: Flood): Promise<HostilePostgres> {
  let sent = 0;
  const { key, cert } = selfSigned('localhost');
  const context = createSecureContext({ key, cert });
  const serve = (socket: Socket): void => {
    const session = new Session(socket, flood, (bytes) => (sent += bytes));
    socket.on('error', () => undefined).on('data', (chunk: Buffer) => session.heard(chunk));
  };
  const server = await startRawServer((socket) => {
    socket.once('data', (chunk: Buffer) => {
      if (chunk.readUInt32BE(4) !== SSL_REQUEST) {
        serve(socket);
        socket.emit('data', chunk);
        return;
      }
      socket.write('S');
      serve(new TLSSocket(socket, { isServer: true, secureContext: context }));
    });
  });
  return Object.assign(server, { sent: () => sent });
}

class Session {
  private open = Buffer.alloc(0);
  private started = false;
  /** The endpoint's statement is bound: the next execution gives its rows. */
  private bound = false;
  /** The last parsed statement asks for the expressions of the target. */
  private expressions = false;

  constructor(
    private readonly socket: Socket,
    private readonly flood: Flood,
    private readonly count: (bytes: number) => void,
  ) {}

  heard(chunk: Buffer): void {
    this.open = Buffer.concat([this.open, chunk]);
    for (;;) {
      const head = this.started ? 1 : 0;
      if (this.open.length < head + 4) return;
      const end = head + this.open.readUInt32BE(head);
      if (this.open.length < end) return;
      const [type, body] = [this.open.toString('latin1', 0, head), this.open.subarray(head + 4, end)];
      this.open = this.open.subarray(end);
      this.answer(type, body);
    }
  }

  private answer(type: string, body: Buffer): void {
    if (type === '') return this.start();
    const say = (...parts: Buffer[]): void => void this.socket.write(Buffer.concat(parts));
    if (type === 'Q') say(message('C', text('BEGIN')), READY);
    if (type === 'P') {
      this.expressions = this.flood === 'expressions' && body.toString('latin1').includes('pg_get_expr');
      say(message('1'));
    }
    if (type === 'S') say(READY);
    if (type === 'D') this.describe(body);
    if (type === 'B') {
      this.bound = body.toString('latin1').split('\0')[1] === 'call';
      say(message('2'));
    }
    if (type === 'E') {
      if (this.bound && this.flood === 'one long row') this.pour(announced('D', GB, count(1), length(GB)));
      else say(...(this.expressions ? EXPRESSIONS : []), message('C', text('SELECT 0')));
    }
  }

  private start(): void {
    this.started = true;
    if (this.flood === 'one long message') return this.pour(announced('R', GB));
    if (this.flood === 'a long error') return this.pour(announced('E', GB, Buffer.from('SFATAL\0M')));
    this.socket.write(AUTH_OK);
    const long = PIECE.toString('latin1').slice(0, 1000);
    if (this.flood === 'notices') return this.repeat(message('N', text('SNOTICE'), text(`M${long}`), text('')));
    if (this.flood === 'settings') return this.repeat(message('S', text('application_name'), text(long)));
    this.socket.write(READY);
  }

  private describe(body: Buffer): void {
    const statement = body.toString('latin1').startsWith('Scall');
    if (statement && this.flood === 'a long description') return this.pour(announced('T', GB, count(1)));
    const described = statement ? message('T', count(1), column('n')) : this.describedPortal();
    this.socket.write(Buffer.concat([statement ? message('t', count(0)) : Buffer.alloc(0), described]));
  }

  private describedPortal(): Buffer {
    return this.expressions ? message('T', count(2), column('what'), column('text')) : message('n');
  }

  /** Sends the head of a message, and then as many bytes as the client takes. */
  private pour(head: Buffer): void {
    this.socket.write(head);
    this.repeat(PIECE);
  }

  private repeat(piece: Buffer): void {
    const block = Buffer.concat(Array.from({ length: Math.ceil(PIECE.length / piece.length) }, () => piece));
    const more = (): void => {
      while (!this.socket.destroyed) {
        this.count(block.length);
        if (!this.socket.write(block)) {
          this.socket.once('drain', more);
          return;
        }
      }
    };
    more();
  }
}

function message(type: string, ...parts: Buffer[]): Buffer {
  const body = Buffer.concat(parts);
  return Buffer.concat([Buffer.from(type), length(body.length + 4), body]);
}

/** Beginning of a message that announces this length. */
function announced(type: string, bytes: number, ...parts: Buffer[]): Buffer {
  return Buffer.concat([Buffer.from(type), length(bytes), ...parts]);
}

function row(...values: string[]): Buffer {
  const fields = values.flatMap((value) => [length(Buffer.byteLength(value)), Buffer.from(value)]);
  return message('D', count(values.length), ...fields);
}

/** Description of a text column. */
function column(name: string): Buffer {
  return Buffer.concat([text(name), length(0), count(0), length(25), count(-1), length(-1), count(0)]);
}

function text(value: string): Buffer {
  return Buffer.from(`${value}\0`, 'latin1');
}

function length(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
}

function count(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeInt16BE(value);
  return bytes;
}
