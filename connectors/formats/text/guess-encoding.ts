const SAMPLE = 65_536;
const ENOUGH = 0.4;
/** Fewer letters than this say nothing. */
const LETTERS = 4;
const DEFAULT = 'windows-1252';

/**
 * Encodings that texts without a declaration are met in, the characters that their languages use most, and what share
 * of the characters beyond ASCII these make up in ordinary text.
 */
const CANDIDATES: readonly [label: string, frequent: string, share: number][] = [
  ['shift_jis', 'のにはをたがでてとしれさいもなるっかすきくけこよりまそあおうえんだらじスルントイクラリアー、。', 0.5],
  ['euc-jp', 'のにはをたがでてとしれさいもなるっかすきくけこよりまそあおうえんだらじスルントイクラリアー、。', 0.5],
  [
    'gb18030',
    '的一是不了在人有我他这中大来上国个到说们为子和你地出道也时年得就那要下以生会自着去之过家学对可里后小么心多天而能好都然没日于起还发成事只作当想看文无开手十用主行方又如前所本见经头面公同三已老从动两长，。',
    0.3,
  ],
  [
    'big5',
    '的一是不了在人有我他這中大來上國個到說們為子和你地出道也時年得就那要下以生會自著去之過家學對可裡後小麼心多天而能好都然沒日於起還發成事只作當想看文無開手十用主行方又如前所本見經頭面公同三已老從動兩長，。',
    0.3,
  ],
  ['euc-kr', '이다의는에을고한가지로하를도은사서기리나자어시대해인정일부그전스수상과으아원보들니국만있것', 0.5],
  ['windows-1251', 'оеаинтсрвлкмдпуяыьгзбчйхжшю', 0.85],
  ['koi8-r', 'оеаинтсрвлкмдпуяыьгзбчйхжшю', 0.85],
  ['iso-8859-7', 'αοιετσνηρπκμλυςάίόέύήθδγω', 0.85],
  ['windows-1255', 'יוהלארתמשבנםחקעדפטכגצזסןך', 0.85],
];

/** The likeliest encoding of bytes that are not UTF-8 and do not say what they are. A guess: say so where it is used. */
export function guessEncoding(bytes: Uint8Array): string {
  const sample = bytes.subarray(0, SAMPLE);
  let best = { label: DEFAULT, score: ENOUGH };
  for (const [label, frequent, share] of CANDIDATES) {
    const score = scoreOf(new TextDecoder(label).decode(sample), new Set(frequent)) / share;
    if (score > best.score) {
      best = { label, score };
    }
  }
  return best.label;
}

/**
 * Share of frequent characters among those beyond ASCII; what cannot be decoded counts double against it. Letters of
 * these languages stand side by side; one alone between ASCII letters is an accented letter of another encoding.
 */
function scoreOf(text: string, frequent: ReadonlySet<string>): number {
  let beyond = 0;
  let hits = 0;
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (character > '\u007f') {
      const alone = !isBeyond(text.charAt(at - 1)) && !isBeyond(text.charAt(at + 1));
      beyond += 1;
      hits += character === '\ufffd' ? -2 : frequent.has(character) && !alone ? 1 : 0;
    }
  }
  return beyond < LETTERS ? 0 : hits / beyond;
}

function isBeyond(character: string): boolean {
  return character > '\u007f';
}

/** Share of characters whose other bytes are zero, from which a text counts as written in two or four bytes each. */
const WIDE_SHARE = 0.4;

/** UTF-16 or UTF-32 by where the zeros stand: most characters of most texts need a single byte. Nothing where there are few. */
export function guessWideEncoding(bytes: Uint8Array): string | undefined {
  const sample = bytes.subarray(0, SAMPLE);
  const zeros = [0, 0, 0, 0];
  for (let at = 0; at < sample.length; at += 1) {
    if (sample[at] === 0) zeros[at % 4] = (zeros[at % 4] ?? 0) + 1;
  }
  const [first, second, third, fourth] = zeros.map((count) => count > (sample.length / 4) * WIDE_SHARE);
  if (second === true && third === true && first !== fourth) return first === true ? 'utf-32be' : 'utf-32le';
  if (second === true && fourth === true && first !== true && third !== true) return 'utf-16le';
  return first === true && third === true && second !== true && fourth !== true ? 'utf-16be' : undefined;
}
