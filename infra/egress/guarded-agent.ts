import { Agent, buildConnector, Client, Pool } from 'undici';
import type { Dispatcher } from 'undici';
import type { Socket } from 'node:net';
import { AnswerHandler } from './answer-handler';
import { openSocket } from './open-socket';
import type { Policy } from './policy';

const TLS_TIMEOUT_MS = 10_000;
const KEEP_ALIVE_MS = 4_000;
const LONGEST_KEEP_ALIVE_MS = 30_000;
const CONNECTIONS_PER_ORIGIN = 32;
const MAX_HEADER_BYTES = 32 * 1024;

/**
 * HTTP connections of one policy, kept by origin. A connection that is used again is not checked again: it was checked
 * when it was opened, it still leads to the same peer, and the policy that let it through cannot have changed.
 * HTTP/2 is off: it would let several names share one connection. The deadline of a request is the only time limit.
 */
export function guardedAgent(policy: Policy): Agent {
  const secure = buildConnector({ allowH2: false, timeout: TLS_TIMEOUT_MS });
  const connect: buildConnector.connector = (options, callback) => {
    const isSecure = options.protocol === 'https:';
    openSocket(policy, options.hostname, Number(options.port) || (isSecure ? 443 : 80)).then(
      (socket) => (isSecure ? secure({ ...options, httpSocket: socket }, callback) : callback(null, socket)),
      (error: Error) => callback(error, null),
    );
  };
  return new Agent({
    connect,
    allowH2: false,
    connections: CONNECTIONS_PER_ORIGIN,
    keepAliveTimeout: KEEP_ALIVE_MS,
    keepAliveMaxTimeout: LONGEST_KEEP_ALIVE_MS,
    maxHeaderSize: MAX_HEADER_BYTES,
    headersTimeout: 0,
    bodyTimeout: 0,
    factory: (origin, options) => new Pool(origin, { ...(options as Pool.Options), factory: trackedClient }),
  });
}

function trackedClient(origin: URL, options: object): Dispatcher {
  return new TrackedClient(origin, options as Client.Options & { connect: buildConnector.connector });
}

/** One connection at a time, and it tells the handler of a request which: see AnswerHandler.onResponseEnd. */
class TrackedClient extends Client {
  private readonly connection: { socket?: Socket };

  constructor(origin: URL, options: Client.Options & { connect: buildConnector.connector }) {
    const connection: { socket?: Socket } = {};
    const connect: buildConnector.connector = (wanted, callback) =>
      options.connect(wanted, (...[error, socket]) => {
        // Checks the error first: the socket is then null or missing.
        if (error !== null) {
          callback(error, null);
        } else {
          connection.socket = socket;
          callback(null, socket);
        }
      });
    super(origin, { ...options, connect });
    this.connection = connection;
  }

  override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    if (handler instanceof AnswerHandler) {
      handler.connection = this.connection;
    }
    return super.dispatch(options, handler);
  }
}
