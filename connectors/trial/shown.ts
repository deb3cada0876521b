import { firstOf } from '../../core/base/shorten';
import { MASK, MASK_MARGIN } from '../../infra/secrets/redactor';
import { Mask } from '../../infra/secrets/mask';
import type { RecordedExchange } from './recording';

const MOST = 4096;
const ALWAYS_SECRET = ['authorization', 'cookie', 'proxy-authorization', 'set-cookie'];

export interface ShownRequest {
  method: string;
  url: string;
  headers: Record<string, string>;
  body?: string;
}

/** Takes out of a text what a call sent to prove who asks: its secrets, and what was made from them. */
export type TextMask = (text: string) => string;

export function maskOf(secrets: readonly string[], exchanges: readonly RecordedExchange[]): Mask {
  const mask = new Mask(secrets);
  for (const { request } of exchanges) {
    for (const [name, value] of Object.entries(request.headers ?? {})) {
      if (isSecret(name, request.secretHeaders)) mask.add(value, value.replace(/^\S+\s+/, ''));
    }
  }
  return mask;
}

/** Adds the secrets that the call itself has learned on its way. */
export function textMask(mask: Mask, exchange: RecordedExchange): TextMask {
  return (text) => mask.text(exchange.mask(text));
}

/** A request as it left, without what is secret in it. */
export function shownRequest({ request }: RecordedExchange, mask: TextMask): ShownRequest {
  const headers = Object.entries(request.headers ?? {}).map(([name, value]): [string, string] => [
    name,
    isSecret(name, request.secretHeaders) ? MASK : mask(value),
  ]);
  const { body } = request;
  const shown =
    body === undefined ? {} : { body: excerptOf(typeof body === 'string' ? Buffer.from(body) : body, mask) };
  return { method: request.method, url: mask(request.url), headers: Object.fromEntries(headers), ...shown };
}

/** The beginning of what came or went, at most 4 KB, without secrets. */
export function excerptOf(bytes: Uint8Array, mask: TextMask): string {
  const head = bytes.subarray(0, MOST + MASK_MARGIN);
  if (head.includes(0)) return `(${bytes.byteLength} bytes that are no text)`;
  return firstOf(mask(Buffer.from(head).toString('utf8')), MOST);
}

function isSecret(name: string, declared: readonly string[] | undefined): boolean {
  const lower = name.toLowerCase();
  return ALWAYS_SECRET.includes(lower) || (declared ?? []).some((header) => header.toLowerCase() === lower);
}
