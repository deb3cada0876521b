import { SESSION_COOKIE } from '../access/credential';

/** Scripts cannot read it, and other sites' forms do not send it. */
const ATTRIBUTES = 'Path=/; HttpOnly; SameSite=Lax';

export function sessionCookie(secret: string, seconds: number, secure: boolean): string {
  return `${SESSION_COOKIE}=${secret}; ${ATTRIBUTES}; Max-Age=${seconds}${secure ? '; Secure' : ''}`;
}

export function endedCookie(): string {
  return `${SESSION_COOKIE}=; ${ATTRIBUTES}; Max-Age=0`;
}
