/** Some servers answer a request for a stream with one JSON body. */
export function isEventStream(response: Response): boolean {
  return !(response.headers.get('content-type') ?? '').toLowerCase().includes('application/json');
}
