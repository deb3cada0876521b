import type { Socket } from 'node:net';
import { asError, Deadline } from './deadline';
import { placeOf } from './denials';
import { toEgressError } from './failure';
import { openSocket } from './open-socket';
import type { Policy } from './policy';
import { invalid } from './request-check';

export interface SocketRequest {
  host: string;
  port: number;
  /** Time for look-up and connection. */
  timeoutMs: number;
  signal?: AbortSignal;
}

/** Throws like Egress.fetch. */
export async function openGuardedSocket(policy: Policy, request: SocketRequest): Promise<Socket> {
  const { host, port } = request;
  if (host === '' || /[\s/\\@?#%]/.test(host) || !Number.isInteger(port) || port < 1 || port > 65_535) {
    throw invalid('A connection needs the name or the address of a host and a port from 1 to 65535.');
  }
  const place = placeOf(host, port);
  const deadline = new Deadline(() => place, request.timeoutMs, request.signal);
  try {
    return await connected(policy, request, deadline);
  } catch (error) {
    throw deadline.reasonOf(toEgressError(error, { host: place, sent: false }));
  } finally {
    deadline.release();
  }
}

/** A connection that is made after the deadline is closed again. */
function connected(policy: Policy, { host, port }: SocketRequest, deadline: Deadline): Promise<Socket> {
  return new Promise((resolve, reject) => {
    deadline.throwIfOver();
    deadline.stop = reject;
    openSocket(policy, host, port).then(
      (socket) => (deadline.isOver ? socket.destroy() : resolve(socket)),
      (error: unknown) => reject(asError(error)),
    );
  });
}
