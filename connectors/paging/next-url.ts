import { AppError } from '../../core/errors/app-error';

/** Origins of a definition's addresses: the only ones that a source may send us to. */
export function originsOf(addresses: readonly (string | undefined)[]): string[] {
  return addresses.flatMap((address) =>
    address !== undefined && URL.canParse(address) ? [new URL(address).origin] : [],
  );
}

interface NextUse {
  /** Address of the answer that holds the link. */
  from: string;
  origins: readonly string[];
  /** Query parameter of the credential: signing puts it back. */
  secretParam: string | undefined;
}

/** The address of the next page as it may be asked. Throws `bad_response` for one that leads elsewhere. */
export function nextUrl(link: string, { from, origins, secretParam }: NextUse): string {
  if (!URL.canParse(link, from)) {
    throw refusedLink(from, 'it is no address');
  }
  const url = upgraded(new URL(link, from), origins);
  if (!origins.includes(url.origin)) {
    throw refusedLink(from, `it leads to ${url.host}, which the connector does not name in a \`base_url\``);
  }
  withoutSecret(url, secretParam);
  url.hash = '';
  return url.href;
}

/** A source may give back an address with the credential in it: signing puts it back. */
export function withoutSecret(url: URL, secretParam: string | undefined): void {
  if (secretParam !== undefined && url.searchParams.has(secretParam)) {
    url.searchParams.delete(secretParam);
  }
}

/** Sources behind a proxy often write http for themselves; the same host by https is what is meant. */
function upgraded(url: URL, origins: readonly string[]): URL {
  const secure = new URL(url);
  secure.protocol = 'https:';
  return url.protocol === 'http:' && url.port === '' && !origins.includes(url.origin) && origins.includes(secure.origin)
    ? secure
    : url;
}

function refusedLink(from: string, why: string): AppError {
  return new AppError('bad_response', `${new URL(from).host} names a next page that is not followed: ${why}.`, {
    category: 'upstream',
  });
}
