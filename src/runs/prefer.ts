const WAIT = /^wait\s*=\s*"?(\d{1,9})"?$/i;

/**
 * Seconds that the client would wait, from the header `Prefer` (RFC 7240): `wait=30`; 0 for `respond-async`; undefined
 * where it does not say. Unknown preferences are ignored, as the RFC asks.
 */
export function preferredWait(header: string | string[] | undefined): number | undefined {
  const preferences = [header ?? []].flat().flatMap((line) => line.split(/[,;]/).map((each) => each.trim()));
  if (preferences.some((each) => each.toLowerCase() === 'respond-async')) return 0;
  const seconds = preferences.map((each) => WAIT.exec(each)?.[1]).find((each) => each !== undefined);
  return seconds === undefined ? undefined : Number(seconds);
}
