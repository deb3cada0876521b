import { safeRecord } from '../../../core/connector/fields';
import type { RestEndpoint } from '../../../core/connector/types';
import { formText, type ArrayFormat, type Pair } from './form';
import { multipartBody } from './multipart';

export interface Body {
  type: string;
  body: string | Uint8Array;
}

/** The body of a request; nothing when no value goes there. */
export function bodyOf(
  pairs: readonly Pair[],
  format: RestEndpoint['body_format'],
  arrays: ArrayFormat,
): Body | undefined {
  if (pairs.length === 0) {
    return undefined;
  }
  if (format === 'json') {
    return { type: 'application/json', body: JSON.stringify(safeRecord(pairs)) };
  }
  return format === 'multipart'
    ? multipartBody(pairs, arrays)
    : { type: 'application/x-www-form-urlencoded', body: formText(pairs, arrays) };
}
