import type { INestApplication } from '@nestjs/common';
import { AppError } from '../../core/errors/app-error';

const TRIES = 50;

export interface Listening {
  port: number;
  /** An address that the API answers under. */
  url: string;
  /** True if the wanted port was taken. */
  moved: boolean;
}

/** Takes the wanted port or the next free one; 0 = any. Throws `no_free_port`, `cannot_listen`. */
export async function listen(app: INestApplication, host: string, wanted: number): Promise<Listening> {
  for (let port = wanted; port < wanted + TRIES && port <= 65_535; port += 1) {
    try {
      await app.listen(port, host);
      const actual = (app.getHttpServer().address() as { port: number }).port;
      return {
        port: actual,
        url: `http://${named(host)}:${actual}`,
        moved: wanted !== 0 && actual !== wanted,
      };
    } catch (error) {
      const code = (error as { code?: string }).code;
      if (code !== 'EADDRINUSE') {
        throw new AppError(
          'cannot_listen',
          `The API cannot listen on ${host}:${port} (${code ?? 'unknown'}). Check AF_HOST and AF_PORT.`,
          {
            category: 'unavailable',
            cause: error,
          },
        );
      }
    }
  }
  throw new AppError('no_free_port', `No free port from ${wanted} on. Set AF_PORT to another one.`, {
    category: 'unavailable',
  });
}

/** Part of a URL. Who listens on all addresses is asked by a loopback name: the other is no name that a client may send. */
function named(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}
