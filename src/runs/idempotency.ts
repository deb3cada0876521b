import { createHash } from 'node:crypto';
import { AppError } from '../../core/errors/app-error';

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
  return createHash('sha256').update(canonical(body)).digest('hex');
}

/** Bodies are at most 100 levels deep (json-body.ts), so this may recurse. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) {
    return `[${value.map(canonical).join(',')}]`;
  }
  if (typeof value === 'object' && value !== null) {
    const fields = Object.entries(value).filter(([, field]) => field !== undefined);
    fields.sort(([a], [b]) => (a < b ? -1 : 1));
    return `{${fields.map(([key, field]) => `${JSON.stringify(key)}:${canonical(field)}`).join(',')}}`;
  }
  return JSON.stringify(value) ?? 'null';
}
