import { AppError } from '../../core/errors/app-error';
import { canonicalHost } from './address-policy';
import { portOf } from './ports';

/** Any host that the definition names. Said on purpose, never a default. */
export const ANY_HOST = '*';
const ENTRY =
  /^(\*|(\*\.)?[A-Za-z0-9]([A-Za-z0-9.-]{0,251}[A-Za-z0-9])?(:\d{1,5})?|\[[0-9a-fA-F:.]{2,45}\](:\d{1,5})?)$/;

/** `host`, `host:port`, `*.domain` (every name below it, not itself), `[address]`, or `*`. */
export function isHostPattern(entry: string): boolean {
  return ENTRY.test(entry);
}

/** True if a value that is meant for `allowed` may be sent to `url`. An entry without a port covers every port. */
export function isHostAllowed(allowed: readonly string[], url: URL): boolean {
  const port = String(portOf(url));
  return allowed.some((entry) => entry === ANY_HOST || matches(entry, url.hostname, port));
}

function matches(entry: string, host: string, port: string): boolean {
  const [, name = entry, wantedPort] = /^(\[[^\]]*\]|[^:]*)(?::(\d{1,5}))?$/.exec(entry) ?? [];
  if (wantedPort !== undefined && wantedPort !== port) return false;
  if (name.startsWith('*.')) return canonicalHost(host).endsWith(name.slice(1).toLowerCase());
  // Equal texts need not be parsed.
  return name === host || canonicalHost(name) === canonicalHost(host);
}

/** Throws `secret_host_denied` before anything is sent to a host that the secret is not for. */
export function requireAllowedHost(allowed: readonly string[] | undefined, url: URL): void {
  if (allowed === undefined || isHostAllowed(allowed, url)) return;
  throw new AppError(
    'secret_host_denied',
    `The secret of this connector may not be sent to ${url.host}. Its allowed hosts are: ${allowed.join(', ')}. Whose it is can name others: af secrets rotate --hosts.`,
    { category: 'forbidden', details: { host: url.host } },
  );
}
