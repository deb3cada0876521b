import { SESSION_COOKIE } from '../access/credential';

/** HttpOnly and SameSite: hidden from scripts, not sent by other sites' forms. */
const ATTRIBUTES = 'Path=/; HttpOnly; SameSite=Lax';

export function sessionCookie(secret: string, seconds: number, secure: boolean): string {
  return `${SESSION_COOKIE}=${secret}; ${ATTRIBUTES}; Max-Age=${seconds}${secure ? '; Secure' : ''}`;
}

export function endedCookie(): string {
  return `${SESSION_COOKIE}=; ${ATTRIBUTES}; Max-Age=0`;
}
