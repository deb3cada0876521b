import { createHash } from 'node:crypto';
import type { Json } from '../../../core/base/json';
import { isJsonObject, ownField } from '../../../core/base/json';
import { spread, type ArrayFormat, type Pair } from './form';

interface Part {
  head: string;
  content: Buffer;
}

/**
 * A multipart/form-data body (RFC 7578). The boundary is a digest of the content: the same inputs give the same bytes, and
 * no content can hold its own digest.
 */
export function multipartBody(pairs: readonly Pair[], format: ArrayFormat): { type: string; body: Uint8Array } {
  const parts = pairs.flatMap(([name, value]) => partsOf(name, value, format));
  const digest = createHash('sha256');
  for (const { head, content } of parts) {
    digest.update(`${head}\n${content.length}\n`).update(content);
  }
  const boundary = `af-${digest.digest('hex').slice(0, 40)}`;
  const body = Buffer.concat([
    ...parts.flatMap(({ head, content }) => [
      Buffer.from(`--${boundary}\r\n${head}\r\n\r\n`),
      content,
      Buffer.from('\r\n'),
    ]),
    Buffer.from(`--${boundary}--\r\n`),
  ]);
  return { type: `multipart/form-data; boundary=${boundary}`, body };
}

function partsOf(name: string, value: Json, format: ArrayFormat): Part[] {
  const file = fileOf(name, value);
  if (file !== undefined) {
    return [file];
  }
  if (Array.isArray(value) && format !== 'comma') {
    return value.flatMap((item) => partsOf(format === 'brackets' ? `${name}[]` : name, item, format));
  }
  if (isJsonObject(value)) {
    return [
      { head: `${disposition(name)}\r\nContent-Type: application/json`, content: Buffer.from(JSON.stringify(value)) },
    ];
  }
  return spread(name, value, format).map(([key, texts]) => ({
    head: disposition(key),
    content: Buffer.from(texts.join(',')),
  }));
}

/** `{filename, text}` or `{filename, base64}`, with `content_type` where it matters, is a file. */
function fileOf(name: string, value: Json): Part | undefined {
  if (!isJsonObject(value)) {
    return undefined;
  }
  const [filename, text, base64] = ['filename', 'text', 'base64'].map((key) => ownField(value, key));
  const content =
    typeof base64 === 'string'
      ? Buffer.from(base64, 'base64')
      : typeof text === 'string'
        ? Buffer.from(text)
        : undefined;
  if (typeof filename !== 'string' || content === undefined) {
    return undefined;
  }
  const declared = ownField(value, 'content_type');
  const type =
    typeof declared === 'string' && /^[\x20-\x7e]{1,200}$/.test(declared) ? declared : 'application/octet-stream';
  return { head: `${disposition(name)}; filename="${quote(filename)}"\r\nContent-Type: ${type}`, content };
}

function disposition(name: string): string {
  return `Content-Disposition: form-data; name="${quote(name)}"`;
}

/** Quotes a name as browsers do (WHATWG HTML, multipart/form-data encoding): it cannot end its quotes or its line. */
function quote(text: string): string {
  return text.replace(/"/g, '%22').replace(/\r/g, '%0D').replace(/\n/g, '%0A');
}
