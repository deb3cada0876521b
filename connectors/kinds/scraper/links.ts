/** Attributes that hold one address. */
const ADDRESSES = new Set(['href', 'src', 'action', 'formaction', 'data', 'poster', 'cite', 'longdesc', 'background']);

export function isAddress(attribute: string): boolean {
  return ADDRESSES.has(attribute.toLowerCase());
}

/** The address that relative ones start from: the page's `base`, itself relative to where the page came from. */
export function baseOf(href: string | undefined, url: string): string {
  return href === undefined ? url : absolute(href, url);
}

/** Absolute form of an address; any other text stays as it is. */
export function absolute(address: string, base: string): string {
  const text = address.trim();
  return URL.canParse(text, base) ? new URL(text, base).href : text;
}
