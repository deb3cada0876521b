import { createHash } from 'node:crypto';
import { canonicalJson } from '../../../core/base/canonical-json';
import type { Json } from '../../../core/base/json';
import { AppError } from '../../../core/errors/app-error';
import { MultipartBody } from '../multipart-body';

/** Checks the header; absent stays absent. Throws `invalid_idempotency_key`. */
export function idempotencyKey(header: string | undefined): string | undefined {
  if (header !== undefined && !/^[\x21-\x7e]{1,255}$/.test(header)) {
    throw new AppError(
      'invalid_idempotency_key',
      'Idempotency-Key must have 1 to 255 printable ASCII characters without spaces.',
      {
        category: 'bad_request',
      },
    );
  }
  return header;
}

/** SHA-256 of a body, whatever the order of its keys. */
export function bodyHash(body: unknown): string {
  return sha256(canonicalJson((body ?? null) as Json));
}

/** SHA-256 of everything that a request says: a key that is used for another object has another request. */
export function requestHash(request: { params: unknown; query: unknown; body: unknown }): string {
  const { params, query, body } = request;
  return bodyHash({ params, query, body: hashable(body) });
}

/** Bytes by their own hash; a form by its fields, for its boundary is another one each time. */
function hashable(body: unknown): unknown {
  if (Buffer.isBuffer(body)) return { sha256: sha256(body) };
  if (!(body instanceof MultipartBody)) return body;
  return body.parts().map(({ field, filename, content }) => ({
    field,
    filename: filename ?? null,
    sha256: sha256(content),
  }));
}

function sha256(data: string | Buffer): string {
  return createHash('sha256').update(data).digest('hex');
}
