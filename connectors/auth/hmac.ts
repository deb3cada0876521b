import { createHash, createHmac } from 'node:crypto';
import type { HmacAuth } from '../../core/connector/auth-types';
import type { Mask } from '../../infra/secrets/mask';
import type { HeldSecret } from './held-secret';
import { withHeader, type BuiltRequest, type SignedRequest } from '../http/signed-request';

const PLACE = /(\{(?:method|path|query|timestamp|body|body_sha256)\})/;

/** A keyed digest (RFC 2104) over what the template names, in a header. */
export function hmacSigned(
  auth: HmacAuth,
  request: BuiltRequest,
  use: { secret: HeldSecret; mask: Mask; now: number },
): SignedRequest {
  const timestamp = String(Math.floor(use.now / 1000));
  const digest = createHmac(auth.algorithm, use.secret.value)
    .update(signedText(auth.template, request, timestamp))
    .digest();
  // Masked in every spelling: an answer may quote what it was sent.
  const hex = digest.toString('hex');
  use.mask.add(hex, hex.toUpperCase(), digest.toString('base64'), digest.toString('base64url'));
  const headers = withHeader(request.headers, auth.key_param, `${auth.prefix}${digest.toString(auth.encoding)}`);
  const stamp = auth.timestamp_header;
  return {
    ...request,
    headers: stamp === undefined ? headers : withHeader(headers, stamp, timestamp),
    secretHeaders: stamp === undefined ? [auth.key_param] : [auth.key_param, stamp],
  };
}

/** The bytes that are signed: path and query as they are sent, the body byte for byte. */
export function signedText(template: string, request: BuiltRequest, timestamp: string): Buffer {
  const url = new URL(request.url);
  const body = Buffer.from(request.body ?? '');
  const values: Record<string, () => string | Buffer> = {
    '{method}': () => request.method,
    '{path}': () => url.pathname,
    '{query}': () => url.search.slice(1),
    '{timestamp}': () => timestamp,
    '{body}': () => body,
    '{body_sha256}': () => createHash('sha256').update(body).digest('hex'),
  };
  return Buffer.concat(template.split(PLACE).map((part) => Buffer.from(values[part]?.() ?? part)));
}
