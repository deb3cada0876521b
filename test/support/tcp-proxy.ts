import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

type Direction = 'requests' | 'answers';

/**
 * A proxy between two processes that disturbs the traffic, without a firewall or root. Bytes that are held back
 * keep their order and continue when they are released.
 */
export class TcpProxy {
  private readonly pairs = new Set<Pair>();
  private readonly held: Record<Direction, boolean> = { requests: false, answers: false };
  private refusing = false;
  private delayMs = 0;

  private constructor(
    private readonly server: Server,
    private readonly target: { host: string; port: number },
  ) {}

  /** `target`: `host:port`. */
  static async start(target: string): Promise<TcpProxy> {
    const [host = '127.0.0.1', port] = target.split(':');
    const server = createServer({ noDelay: true });
    const proxy = new TcpProxy(server, { host, port: Number(port) });
    server.on('connection', (client) => proxy.accept(client));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return proxy;
  }

  /** The same URL through this proxy. */
  through(url: string): string {
    const led = new URL(url);
    led.host = this.address;
    return led.href;
  }

  get address(): string {
    return `127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Holds all bytes in that direction (default: in both) until `release`. Connections stay open. */
  hold(...directions: Direction[]): void {
    for (const direction of both(directions)) this.held[direction] = true;
  }

  release(...directions: Direction[]): void {
    for (const direction of both(directions)) this.held[direction] = false;
    for (const pair of this.pairs) pair.flush();
  }

  /** Delays everything from now on. */
  delay(ms: number): void {
    this.delayMs = ms;
  }

  /** Breaks all connections and refuses new ones until `mend`. */
  cut(): void {
    this.refusing = true;
    for (const pair of this.pairs) pair.destroy();
  }

  mend(): void {
    this.refusing = false;
  }

  /** Connections with bytes that are held back in that direction. */
  waiting(direction: Direction): number {
    return [...this.pairs].filter((pair) => pair.waits(direction)).length;
  }

  async close(): Promise<void> {
    this.cut();
    await new Promise<void>((resolve) => this.server.close(() => resolve()));
  }

  private accept(client: Socket): void {
    if (this.refusing) {
      client.destroy();
      return;
    }
    const upstream = connect({ ...this.target, noDelay: true });
    const pair = new Pair(
      client,
      upstream,
      (direction) => this.held[direction],
      () => this.delayMs,
    );
    this.pairs.add(pair);
    pair.onClose(() => this.pairs.delete(pair));
  }
}

function both(directions: Direction[]): Direction[] {
  return directions.length === 0 ? ['requests', 'answers'] : directions;
}

/** One connection: two queues of bytes. */
class Pair {
  private readonly queues: Record<Direction, (Buffer | 'end')[]> = { requests: [], answers: [] };

  constructor(
    private readonly client: Socket,
    private readonly upstream: Socket,
    private readonly held: (direction: Direction) => boolean,
    private readonly delayMs: () => number,
  ) {
    this.feed(client, 'requests');
    this.feed(upstream, 'answers');
  }

  waits(direction: Direction): boolean {
    return this.queues[direction].some((queued) => queued !== 'end');
  }

  onClose(listener: () => void): void {
    this.client.once('close', listener);
  }

  flush(): void {
    for (const direction of ['requests', 'answers'] as const) {
      const to = direction === 'requests' ? this.upstream : this.client;
      const queue = this.queues[direction];
      while (queue.length > 0 && !this.held(direction)) {
        const next = queue.shift();
        if (next === 'end') to.end();
        else if (next && !to.destroyed) to.write(next);
      }
    }
  }

  destroy(): void {
    this.client.destroy();
    this.upstream.destroy();
  }

  private feed(from: Socket, direction: Direction): void {
    const pass = (what: Buffer | 'end'): void => {
      const put = (): void => {
        this.queues[direction].push(what);
        this.flush();
      };
      const later = this.delayMs();
      if (later > 0) setTimeout(put, later);
      else put();
    };
    from.on('data', pass);
    from.on('end', () => pass('end'));
    from.on('error', () => this.destroy());
    from.on('close', () => {
      if (from === this.upstream && !this.held(direction)) this.client.end();
      if (from === this.client) this.upstream.destroy();
    });
  }
}
