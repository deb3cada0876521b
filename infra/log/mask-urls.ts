const CREDENTIALS = /([a-z][a-z0-9+.-]*:\/\/)[^\s/@"'\\]+@/gi;

/** `postgres://user:password@host` → `postgres://[masked]@host`. */
export function maskUrls(text: string): string {
  return text.includes('@') ? text.replace(CREDENTIALS, '$1[masked]@') : text;
}
