/** Our product token (RFC 9309 section 2.2.1). It is matched whatever `User-Agent` a connector sends. */
const PRODUCT_TOKEN = 'AgentFactory';
/** Bytes of a robots.txt that are read. */
export const ROBOTS_BYTES = 500 * 1024;

export interface RobotsRule {
  allow: boolean;
  path: string;
}

/**
 * The rules of a robots.txt for us: all groups of our token together, else those of `*` (RFC 9309 section 2.2). Read here,
 * since `robots-parser` 3 takes `%2D` and `-` for two paths (section 2.2.2) and would forbid robots.txt itself.
 */
export function parseRobots(bytes: Uint8Array, token: string = PRODUCT_TOKEN): RobotsRule[] {
  const text = new TextDecoder('utf-8').decode(bytes.subarray(0, ROBOTS_BYTES));
  const own: RobotsRule[] = [];
  const others: RobotsRule[] = [];
  let agents: string[] = [];
  let named = false;
  let inRules = false;
  for (const line of text.split(/\r\n|\n|\r/)) {
    const [key, value] = pairOf(line);
    if (key === 'user-agent') {
      agents = inRules ? [] : agents;
      inRules = false;
      agents.push(productOf(value));
      named ||= productOf(value) === token.toLowerCase();
    } else if (key === 'allow' || key === 'disallow') {
      inRules = true;
      const rule = { allow: key === 'allow', path: normalised(value) };
      addTo(own, rule, agents.includes(token.toLowerCase()));
      addTo(others, rule, agents.includes('*'));
    }
  }
  return named ? own : others;
}

/** True if the address may be fetched. The longest matching path decides, `allow` on a tie. */
export function isAllowedByRobots(rules: readonly RobotsRule[], url: URL): boolean {
  const path = normalised(url.pathname + url.search);
  if (path === '/robots.txt') {
    return true;
  }
  let best: RobotsRule | undefined;
  for (const rule of rules) {
    const longer = best === undefined || rule.path.length > best.path.length;
    const wins = longer || (best !== undefined && rule.path.length === best.path.length && rule.allow);
    if (wins && matches(rule.path, path)) {
      best = rule;
    }
  }
  return best?.allow ?? true;
}

function pairOf(line: string): [key: string, value: string] {
  const text = line.split('#', 1)[0] ?? '';
  const colon = text.indexOf(':');
  return colon < 0 ? ['', ''] : [text.slice(0, colon).trim().toLowerCase(), text.slice(colon + 1).trim()];
}

/** `Name/1.0 (what it is)` names the product `name`. */
function productOf(value: string): string {
  return value === '*' ? '*' : (/^[A-Za-z_-]+/.exec(value)?.[0] ?? '').toLowerCase();
}

/** An empty path says nothing. */
function addTo(list: RobotsRule[], rule: RobotsRule, applies: boolean): void {
  if (applies && rule.path !== '') {
    list.push(rule);
  }
}

/** One spelling: octets beyond ASCII encoded, unreserved ones decoded, hexadecimal digits in capitals. */
function normalised(path: string): string {
  return path
    .replace(/[^\x21-\x7e]/gu, (character) => [...Buffer.from(character, 'utf8')].map(encodeOctet).join(''))
    .replace(/%([0-9A-Fa-f]{2})/g, (_whole, hex: string) => {
      const octet = Number.parseInt(hex, 16);
      const character = String.fromCharCode(octet);
      return /[A-Za-z0-9._~-]/.test(character) ? character : encodeOctet(octet);
    });
}

function encodeOctet(octet: number): string {
  return `%${octet.toString(16).toUpperCase().padStart(2, '0')}`;
}

/** `*` is any run of characters, `$` at the end is the end. Each piece is looked for once behind the one before: linear. */
function matches(pattern: string, path: string): boolean {
  const anchored = pattern.endsWith('$');
  const pieces = (anchored ? pattern.slice(0, -1) : pattern).split('*');
  const [first = '', ...rest] = pieces;
  if (!path.startsWith(first)) {
    return false;
  }
  let at = first.length;
  const last = anchored ? rest.pop() : undefined;
  for (const piece of rest) {
    const found = path.indexOf(piece, at);
    if (found < 0) {
      return false;
    }
    at = found + piece.length;
  }
  if (last !== undefined) {
    return path.length - last.length >= at && path.endsWith(last);
  }
  return !anchored || at === path.length;
}
