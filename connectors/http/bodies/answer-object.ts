import { isJsonObject, type JsonObject } from '../../../core/base/json';
import type { EgressResponse } from '../../../infra/egress/types';
import { FileFault } from '../../formats/file-fault';
import { charsetOf, readJson } from './read-json';

/** The answer's object; nothing when it is anything else. */
export function objectOf(response: EgressResponse): JsonObject | undefined {
  try {
    const { data } = readJson(response.body, charsetOf(response.headers));
    return isJsonObject(data) ? data : undefined;
  } catch (error) {
    if (error instanceof FileFault) return undefined;
    throw error;
  }
}
