import type { Agent } from 'undici';
import { AppError } from '../../core/errors/app-error';
import { checkedHeaders, checkedMethod, checkedUrl } from './request-check';
import { requireAllowedHost } from './secret-hosts';
import { sendOnce } from './send';
import { MAX_REDIRECTS } from './types';
import type { EgressRequest, EgressResponse } from './types';

const REDIRECT = new Set([301, 302, 303, 307, 308]);
const ALWAYS_SECRET = ['authorization', 'cookie', 'proxy-authorization'];

interface Hop {
  method: string;
  url: URL;
  headers: Record<string, string>;
  body: Uint8Array | string | undefined;
}

/**
 * Sends a request and follows redirects by hand, so that every hop is checked and opened like the first. Only GET and
 * HEAD are followed: another method would repeat an effect at an address that nobody named. Within one deadline.
 */
export async function followRedirects(agent: Agent, request: EgressRequest): Promise<EgressResponse> {
  const deadline = AbortSignal.timeout(Math.max(1, Math.floor(request.timeoutMs)));
  const signal = request.signal === undefined ? deadline : AbortSignal.any([request.signal, deadline]);
  let hop: Hop = {
    method: checkedMethod(request.method),
    url: checkedUrl(request.url),
    headers: checkedHeaders(request.headers ?? {}),
    body: request.body,
  };
  // A redirect to another origin drops what is secret, so the first address is the only one that can get it.
  requireAllowedHost(request.secretHosts, hop.url);
  for (let count = 0; count <= MAX_REDIRECTS; count += 1) {
    const response = await sendOnce(agent, { ...hop, signal, deadline, maxBytes: request.maxBytes });
    const location = response.headers['location'];
    if (!REDIRECT.has(response.status) || location === undefined) {
      return response;
    }
    hop = nextHop(hop, location, request.secretHeaders ?? []);
  }
  throw new AppError('too_many_redirects', `${hop.url.host} sent more than ${MAX_REDIRECTS} redirects.`, {
    category: 'upstream',
  });
}

function nextHop(hop: Hop, location: string, secretHeaders: string[]): Hop {
  if (hop.method !== 'GET' && hop.method !== 'HEAD') {
    throw new AppError(
      'redirect_refused',
      `${hop.url.host} redirects a ${hop.method} request. Put the final address into the connector.`,
      {
        category: 'upstream',
      },
    );
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
  return {
    ...hop,
    url,
    headers: url.origin === hop.url.origin ? hop.headers : withoutSecrets(hop.headers, secretHeaders),
  };
}

function withoutSecrets(headers: Record<string, string>, secretHeaders: string[]): Record<string, string> {
  const secret = new Set([...ALWAYS_SECRET, ...secretHeaders.map((name) => name.toLowerCase())]);
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !secret.has(name.toLowerCase())));
}
