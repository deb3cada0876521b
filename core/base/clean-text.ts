/**
 * PostgreSQL text cannot hold U+0000, and UTF-8 cannot hold a lone surrogate: both become U+FFFD, so that a strange
 * character in somebody's data never fails a run.
 */
export function cleanText(text: string): string {
  const clean = text.replaceAll('\u0000', '\ufffd');
  // Texts without surrogates, not even in pairs, need no further work: this is the usual case.
  return /[\ud800-\udfff]/.test(clean) ? clean.replace(/\p{Surrogate}/gu, '\ufffd') : clean;
}
