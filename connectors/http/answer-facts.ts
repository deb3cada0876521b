import { isJsonObject } from '../../core/base/json';
import type { EndpointCommon } from '../../core/connector/types';
import { cacheNotes } from '../runtime/cache/cache-notes';
import type { Mask } from '../../infra/secrets/mask';
import type { PageAnswer } from '../paging/read-pages';
import type { ExchangeResult } from './exchange';
import type { EndpointResult } from '../call/connector-call';

/** Facts of an answer over HTTP beside its body. */
export function answerFacts(
  exchanged: ExchangeResult,
  mask: Mask,
): Pick<PageAnswer, 'status' | 'bytes' | 'link' | 'notes'> {
  const { response } = exchanged;
  const link = response.headers['link'];
  return {
    status: response.status,
    bytes: response.body.byteLength,
    link: link === undefined ? undefined : mask.text(link),
    notes: cacheNotes(exchanged),
  };
}

/** Adds the fields of a single object beside the records. */
export function withObject({ output_schema }: EndpointCommon, result: EndpointResult): EndpointResult {
  const records = result['results'];
  const only = Array.isArray(records) && records.length === 1 ? records[0] : undefined;
  return output_schema?.type === 'object' && isJsonObject(only) ? { ...only, ...result } : result;
}
