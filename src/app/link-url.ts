import { PREFIX } from './prefix';

/** Address of a single-use link: the only secret that ever stands in a URL. */
export function linkUrl(base: string, token: string): string {
  return `${base}/${PREFIX}/auth/links/${token}`;
}
