import { isIP } from 'node:net';
import { AppError } from '../../core/errors/app-error';

/** Link-local addresses: there clouds give the machine's credentials to every caller. No message advises to allow them. */
const LINK_LOCAL = /^(169\.254\.|fe[89ab][0-9a-f]:)/i;

export function egressDenied(host: string, port: number): AppError {
  const place = placeOf(host, port);
  if (LINK_LOCAL.test(host)) {
    return denied(
      `${place} is an address of the machine's own link, where clouds keep credentials; nothing is sent there.`,
      {
        host,
        port,
      },
    );
  }
  return denied(
    `${place} is not on the public internet, so nothing is sent there. An operator can allow it with AF_EGRESS_ALLOW=${place}.`,
    { host, port },
  );
}

export function ownServiceDenied(host: string, port: number): AppError {
  return denied(
    `${placeOf(host, port)} belongs to the platform itself, so nothing is sent there, whatever AF_EGRESS_ALLOW says.`,
    { host, port },
  );
}

export function denied(message: string, details: { host: string; port: number }): AppError {
  return new AppError('egress_denied', message, { category: 'forbidden', details });
}

/** `host:port`, IPv6 in brackets. */
export function placeOf(host: string, port: number): string {
  return `${isIP(host) === 6 ? `[${host}]` : host}:${port}`;
}
