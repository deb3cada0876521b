import { parseExactJson } from '../../core/base/exact-json';

/** Some servers answer a request for a stream with one JSON body. */
export function isEventStream(response: Response): boolean {
  return !(response.headers.get('content-type') ?? '').toLowerCase().includes('application/json');
}

/** The JSON body of an answer. Arguments of a tool may stand in it as an object: their numbers are kept as they are elsewhere. */
export async function jsonBody<Body>(response: Response): Promise<Body> {
  return parseExactJson(await response.text()) as Body;
}
