import { shorten } from '../base/shorten';

/** Header names that a definition may never set: the transport owns them. */
const FORBIDDEN = new Set([
  'host',
  'content-length',
  'transfer-encoding',
  'connection',
  'keep-alive',
  'upgrade',
  'te',
  'trailer',
  'expect',
  'proxy-authorization',
  'proxy-connection',
  'accept-encoding',
  'idempotency-key',
]);
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/;
// Visible characters, space and tab (RFC 9110 section 5.5); no control character can start a second header.
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;
const MOST_VALUE = 8000;

/** Fault of a header that a person wrote; undefined = none. */
export function headerFault(name: string, value?: string): string | undefined {
  if (!TOKEN.test(name)) {
    return `\`${shorten(name, 40)}\` is no header name.`;
  }
  if (FORBIDDEN.has(name.toLowerCase())) {
    return `The header \`${name}\` is set by the platform and cannot be given.`;
  }
  const fault = value === undefined ? undefined : headerValueFault(value);
  return fault === undefined ? undefined : `The value of header \`${name}\` ${fault.fault}.`;
}

/** Describes the fault of a header's value, and what to give instead. */
export function headerValueFault(value: string): { fault: string; wayOut: string } | undefined {
  if (!VALUE.test(value)) {
    return {
      fault: 'contains line breaks or characters that a header cannot carry',
      wayOut: 'Use one line of the characters of Latin-1, which has letters of western languages and no €.',
    };
  }
  if (value.length <= MOST_VALUE) return undefined;
  return {
    fault: `has ${value.length} characters, and a header carries at most ${MOST_VALUE}`,
    wayOut: 'Give a shorter value; what is long belongs into a body.',
  };
}

/**
 * Fault of an address of a source, undefined = none: absolute http(s), without credentials and fragment, and without
 * query unless it is allowed. The last word has the parser of addresses that every request goes through, so that what
 * is taken here can be called.
 */
export function addressFault(address: string, allow: { query?: boolean } = {}): string | undefined {
  const match = /^(https?):\/\/([^/?#\\\s]+)(\/[^?#\s\\]*)?(\?[^#\s\\]*)?$/i.exec(address);
  if (match === null || (match[4] !== undefined && allow.query !== true)) {
    return `must be an absolute http or https address without ${allow.query === true ? 'fragment' : 'query and fragment'}, for example \`https://api.example.org/v1\``;
  }
  const host = match[2] ?? '';
  if (host.includes('@')) {
    return 'must not contain a user name or password; use `auth` with a secret';
  }
  if (/^\[.*%/.test(host)) {
    return 'names a zone of an IPv6 address (`%`), which exists on one machine alone; write the address without it, or a name';
  }
  if (!URL.canParse(address) || address.search(UNSEEN) >= 0) {
    return `has no host and port that can be called: \`${host.slice(0, 80).replace(UNSEEN, '?')}\``;
  }
  return undefined;
}

const UNSEEN = /[\p{Cc}\p{Surrogate}]/gu;

/** Names under which secrets travel: their values never stand in a definition. */
export function carriesSecret(header: string): boolean {
  return /^(authorization|cookie|api-?key|x-api-?key|x-auth-token|x-access-token|x-csrf-token)$/i.test(header);
}
