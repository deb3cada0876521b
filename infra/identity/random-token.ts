import { createHash, randomBytes } from 'node:crypto';

const BYTES = 32;

/** 256 random bits behind a prefix that says what it is; nobody guesses it, so a plain hash keeps it. */
export function randomToken(prefix: string): string {
  return `${prefix}_${randomBytes(BYTES).toString('base64url')}`;
}

/** Hash that is stored in place of a token. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

export const PREFIXES = { key: 'afk', session: 'afs', refresh: 'afr', link: 'afl' } as const;

const FORM = /^af[ksrl]_[A-Za-z0-9_-]{43}$/;

/** True for the form of such a token; others need not be looked up. */
export function isToken(text: string, prefix: string): boolean {
  return FORM.test(text) && text.startsWith(`${prefix}_`);
}
