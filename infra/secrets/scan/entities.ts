/** Names of HTML for what a secret may hold: ASCII that is no letter or digit, and Latin-1. */
const ASCII: Readonly<Record<string, string>> = {
  '\t': 'Tab',
  '\n': 'NewLine',
  '!': 'excl',
  '"': 'quot QUOT',
  '#': 'num',
  $: 'dollar',
  '%': 'percnt',
  '&': 'amp AMP',
  "'": 'apos',
  '(': 'lpar',
  ')': 'rpar',
  '*': 'ast midast',
  '+': 'plus',
  ',': 'comma',
  '.': 'period',
  '/': 'sol',
  ':': 'colon',
  ';': 'semi',
  '<': 'lt LT',
  '=': 'equals',
  '>': 'gt GT',
  '?': 'quest',
  '@': 'commat',
  '[': 'lsqb lbrack',
  '\\': 'bsol',
  ']': 'rsqb rbrack',
  '^': 'Hat',
  _: 'lowbar UnderBar',
  '`': 'grave DiacriticalGrave',
  '{': 'lcub lbrace',
  '|': 'verbar vert VerticalLine',
  '}': 'rcub rbrace',
};
/** U+00A0 and what follows it, in order. */
const LATIN_1 =
  'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para ' +
  'middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute ' +
  'Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute ' +
  'THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ' +
  'ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml';

const POINTS = new Map<string, number>([
  ...Object.entries(ASCII).flatMap(([character, names]) =>
    names.split(' ').map((name) => [name, character.charCodeAt(0)] as const),
  ),
  ...LATIN_1.split(' ').map((name, no) => [name, 0xa0 + no] as const),
]);
/** Browsers read these without their semicolon too. */
const OPEN = ['amp', 'lt', 'gt', 'quot'];
const LONGEST = 16;
const SEMICOLON = 0x3b;

/** The character of the entity whose name begins at offset 0, and how long name and semicolon are. */
export function entityPoint(codeAt: (offset: number) => number): { point: number; length: number } | undefined {
  let name = '';
  while (name.length <= LONGEST && isNameCode(codeAt(name.length))) name += String.fromCharCode(codeAt(name.length));
  const closed = codeAt(name.length) === SEMICOLON ? POINTS.get(name) : undefined;
  if (closed !== undefined) return { point: closed, length: name.length + 1 };
  const open = OPEN.find((known) => name.startsWith(known));
  return open === undefined ? undefined : { point: POINTS.get(open) ?? 0, length: open.length };
}

function isNameCode(code: number): boolean {
  return (code >= 0x30 && code <= 0x39) || ((code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a);
}
