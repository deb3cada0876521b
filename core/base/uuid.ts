const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Tells whether a text has the form of a UUID (RFC 9562), in either case. */
export function isUuid(text: string): boolean {
  return UUID.test(text);
}
