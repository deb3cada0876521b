import type { Socket } from 'node:net';
import { AppError } from '../../core/errors/app-error';
import { placeOf } from './denials';

/** The one proxy that everything leaves through. */
export interface EgressProxy {
  host: string;
  port: number;
  /** Value of `Proxy-Authorization`. */
  authorization?: string;
}

const MAX_HEAD_BYTES = 16 * 1024;
const END_OF_HEAD = '\r\n\r\n';

/** Reads EGRESS_PROXY, whose form was checked: `http://user:password@host:port`. */
export function proxyOf(text: string): EgressProxy {
  const url = new URL(text);
  const credentials = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
  return {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: Number(url.port) || 80,
    ...(credentials === ':' ? {} : { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` }),
  };
}

/**
 * Asks the proxy that `socket` leads to for a tunnel to an address. To the address that was checked and never to the
 * name: the proxy would look it up again, and could find another address.
 */
export async function openTunnel(socket: Socket, proxy: EgressProxy, address: string, port: number): Promise<Socket> {
  const place = placeOf(address, port);
  const authorization = proxy.authorization === undefined ? '' : `Proxy-Authorization: ${proxy.authorization}\r\n`;
  socket.write(`CONNECT ${place} HTTP/1.1\r\nHost: ${place}\r\n${authorization}\r\n`);
  const head = await readHead(socket);
  const status = Number(/^HTTP\/1\.[01] (\d{3})\b/.exec(head)?.[1] ?? 0);
  if (status < 200 || status > 299) {
    throw proxyRefusal(place, status);
  }
  return socket;
}

/** The proxy's answer; what follows it belongs to the tunnel and stays in the socket. */
function readHead(socket: Socket): Promise<string> {
  return new Promise((resolve, reject) => {
    let read = Buffer.alloc(0);
    const onReadable = (): void => {
      for (let chunk = socket.read() as Buffer | null; chunk !== null; chunk = socket.read() as Buffer | null) {
        read = Buffer.concat([read, chunk]);
        const end = read.indexOf(END_OF_HEAD);
        if (end >= 0) {
          done();
          socket.unshift(read.subarray(end + END_OF_HEAD.length));
          resolve(read.subarray(0, end).toString('latin1'));
          return;
        }
        if (read.length > MAX_HEAD_BYTES) {
          done();
          reject(proxyRefusal('', 0));
          return;
        }
      }
    };
    const onEnd = (): void => {
      done();
      reject(proxyRefusal('', 0));
    };
    const onError = (error: Error): void => {
      done();
      reject(error);
    };
    const done = (): void => {
      socket.off('readable', onReadable).off('end', onEnd).off('close', onEnd).off('error', onError);
    };
    socket.on('readable', onReadable).on('end', onEnd).on('close', onEnd).on('error', onError);
  });
}

function proxyRefusal(place: string, status: number): AppError {
  const what = status === 0 ? 'gave no valid answer' : `answered with status ${status}`;
  const where = place === '' ? '' : ` to a connection to ${place}`;
  return new AppError('egress_proxy_refused', `The proxy of EGRESS_PROXY ${what}${where}.`, {
    category: 'upstream',
    retryable: status !== 403 && status !== 407,
    details: { status, not_sent: true },
  });
}
