import { finished } from 'node:stream/promises';
import { AppError } from '../../core/errors/app-error';
import { isAllowed } from './address-policy';
import type { AllowList } from './address-policy';
import { denied } from './denials';
import { isServicePort, portOf, defaultPort } from './ports';
import { checkedHeaders, checkedMethod, checkedUrl } from './request-check';
import { requireAllowedHost } from './secret-hosts';
import { sendOnce } from './send';
import type { Hop, SendOptions } from './send';
import { MAX_REDIRECTS } from './types';
import type { EgressRequest, EgressStream } from './types';

const REDIRECT = new Set([301, 302, 303, 307, 308]);
const LONGEST_DISCARDED = 64 * 1024;
const ALWAYS_SECRET = ['authorization', 'cookie', 'proxy-authorization'];

/**
 * Sends a request and follows redirects by hand, so that every hop is checked and opened like the first. Only GET and
 * HEAD are followed: another method would repeat an effect at an address that nobody named. Within one deadline.
 */
export async function followRedirects(
  request: EgressRequest,
  sending: SendOptions,
  allow: AllowList,
): Promise<EgressStream> {
  const most = request.maxRedirects ?? MAX_REDIRECTS;
  let hop: Hop = {
    method: checkedMethod(request.method),
    url: checkedUrl(request.url),
    headers: checkedHeaders(request.headers ?? {}),
    body: request.body,
  };
  // A redirect to another origin drops what is secret, so the first address is the only one that can get it.
  requireAllowedHost(request.secretHosts, hop.url);
  requireHttpPort(hop.url, allow);
  for (let count = 0; count <= most; count += 1) {
    const answer = await sendOnce(hop, sending);
    const location = answer.headers['location'];
    if (!REDIRECT.has(answer.status) || location === undefined) {
      return answer;
    }
    await discard(answer);
    if (most === 0) {
      throw redirectRefused(hop);
    }
    hop = nextHop(hop, { location, secretHeaders: request.secretHeaders ?? [], allow });
  }
  throw new AppError('too_many_redirects', `${hop.url.host} sent more than ${most} redirects.`, {
    category: 'upstream',
  });
}

/** Reads a short body to its end, which frees the connection for the next hop; a long body is not read for that. */
async function discard({ body }: EgressStream): Promise<void> {
  let bytes = 0;
  body.on('data', (chunk: Buffer) => {
    bytes += chunk.byteLength;
    if (bytes > LONGEST_DISCARDED) {
      body.destroy();
    }
  });
  await finished(body).catch(() => undefined);
}

interface Redirect {
  location: string;
  secretHeaders: string[];
  allow: AllowList;
}

function nextHop(hop: Hop, { location, secretHeaders, allow }: Redirect): Hop {
  if (hop.method !== 'GET' && hop.method !== 'HEAD') {
    throw redirectRefused(hop);
  }
  if (!URL.canParse(location, hop.url)) {
    throw new AppError('bad_response', `${hop.url.host} redirects to something that is no address.`, {
      category: 'upstream',
    });
  }
  const url = checkedUrl(new URL(location, hop.url).href);
  if (hop.url.protocol === 'https:' && url.protocol === 'http:') {
    throw new AppError('egress_denied', `${hop.url.host} redirects from https to http; the redirect is not followed.`, {
      category: 'forbidden',
    });
  }
  requireExpectedPort(hop.url, url, allow);
  return url.origin === hop.url.origin
    ? { ...hop, url }
    : { method: hop.method, url, headers: withoutSecrets(hop.headers, secretHeaders), body: undefined };
}

/** A source must not choose a service: a redirect may lead to the usual ports of HTTP, or to the port that was named. */
function requireExpectedPort(from: URL, to: URL, allow: AllowList): void {
  const port = portOf(to);
  const isExpected = port === defaultPort(to) || (to.hostname === from.hostname && port === portOf(from));
  if (!isExpected && !isAllowed(allow, to.hostname, port)) {
    throw denied(`${from.host} redirects to port ${port} of ${to.hostname}; the redirect is not followed.`, {
      host: to.hostname,
      port,
    });
  }
}

function requireHttpPort(url: URL, allow: AllowList): void {
  const port = portOf(url);
  if (isServicePort(port) && !isAllowed(allow, url.hostname, port)) {
    throw denied(`Port ${port} belongs to another kind of service; nothing is fetched from it.`, {
      host: url.hostname,
      port,
    });
  }
}

function redirectRefused({ url, method }: Hop): AppError {
  return new AppError(
    'redirect_refused',
    `${url.host} redirects a ${method} request. Put the final address into the connector.`,
    { category: 'upstream' },
  );
}

function withoutSecrets(headers: Record<string, string>, secretHeaders: string[]): Record<string, string> {
  const secret = new Set([...ALWAYS_SECRET, ...secretHeaders.map((name) => name.toLowerCase())]);
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !secret.has(name)));
}
