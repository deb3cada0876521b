export const MASK = '[masked]';
/** Shorter values would mask half of every text; nobody should use them as secrets. */
const SHORTEST = 4;
/** Base64 pieces below this length are likely to be found by chance. */
const SHORTEST_PIECE = 6;

/**
 * Masks secrets in text: as they are, inside JSON and URLs, in hexadecimal and in base64 (also as a part of a longer
 * encoded text, as in `Basic` credentials, whatever its offset).
 */
export function redactor(secrets: readonly string[]): (text: string) => string {
  const forms = new Set(secrets.filter((secret) => secret.length >= SHORTEST).flatMap(formsOf));
  if (forms.size === 0) {
    return (text) => text;
  }
  const longestFirst = [...forms].sort((a, b) => b.length - a.length);
  const pattern = new RegExp(longestFirst.map(escape).join('|'), 'g');
  return (text) => text.replace(pattern, MASK);
}

function formsOf(secret: string): string[] {
  const encoded = encodeURIComponent(secret.replace(/\p{Surrogate}/gu, '\ufffd'));
  const bytes = Buffer.from(secret);
  return [
    secret,
    JSON.stringify(secret).slice(1, -1),
    encoded,
    encoded.replaceAll('%20', '+'),
    encoded.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()),
    bytes.toString('hex'),
    ...[0, 1, 2].flatMap((offset) => base64Pieces(bytes, offset)),
  ];
}

/** The characters of a base64 text that the secret alone determines when `offset` bytes stand before it. */
function base64Pieces(bytes: Buffer, offset: number): string[] {
  const encoded = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64');
  const piece = encoded.slice(Math.ceil((offset * 8) / 6), Math.floor(((offset + bytes.length) * 8) / 6));
  return piece.length < SHORTEST_PIECE ? [] : [piece, piece.replaceAll('+', '-').replaceAll('/', '_')];
}

function escape(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&');
}
