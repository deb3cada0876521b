/**
 * Replaces U+0000, which PostgreSQL text cannot hold, and lone surrogates, which UTF-8 cannot hold, by U+FFFD: a
 * strange character in data never fails a run.
 */
export function cleanText(text: string): string {
  const clean = text.replaceAll('\u0000', '\ufffd');
  // Texts without surrogates, not even in pairs, need no further work: this is the usual case.
  return /[\ud800-\udfff]/.test(clean) ? clean.replace(/\p{Surrogate}/gu, '\ufffd') : clean;
}
