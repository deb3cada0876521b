import { parseExactJson } from '../../core/base/exact-json';
import { MASK_MARGIN } from '../secrets/redactor';
import { byProtocol } from './protocol-error';

/** Some servers answer a request for a stream with one JSON body. */
export function isEventStream(response: Response): boolean {
  return !(response.headers.get('content-type') ?? '').toLowerCase().includes('application/json');
}

/** Hands on the JSON body of an answer. Arguments of a tool may stand in it as an object: their numbers are kept as they are elsewhere. */
export async function readBody(response: Response, read: (body: unknown) => void): Promise<void> {
  const text = await response.text();
  const fault = `The answer is none of its protocol: ${text.slice(0, MASK_MARGIN)}`;
  byProtocol(() => read(parseExactJson(text)), fault);
}
