/** Scripts whose letters are joined, or kept apart, by characters that nobody sees: in their words these are no disguise. */
const JOINED =
  `Arabic Bengali Devanagari Gujarati Gurmukhi Kannada Khmer Malayalam Mongolian Myanmar Oriya Sinhala Syriac Tamil
Telugu Tibetan`
    .split(/\s+/)
    .map((script) => `\\p{Script=${script}}`)
    .join('');
const EMOJI = '\\p{Extended_Pictographic}\\p{Emoji_Modifier}\\ufe0f';
/** Joiners inside such a word or an emoji, and the selectors behind the character whose look they choose. */
const LEGITIMATE = [
  `(?<=[${JOINED}]\\p{M}*)[\\u200c\\u200d](?=[${JOINED}])`,
  `(?<=[${EMOJI}])\\u200d(?=\\p{Extended_Pictographic})`,
  `(?<=[\\p{Extended_Pictographic}\\d#*])[\\ufe0e\\ufe0f]`,
  `(?<=\\p{Script=Han})[\\ufe00-\\ufe02\\u{e0100}-\\u{e01ef}]`,
  `(?<=\\p{Script=Mongolian})[\\u180b-\\u180d\\u180f]`,
].join('|');
/** Characters that hide or change a text: controls, changes of the reading direction, characters without width, unseen line breaks, halves of characters, and the Braille sign without a dot. */
const UNSEEN = `[\\p{Cc}\\p{Cf}\\p{Cs}\\p{Zl}\\p{Zp}\\p{Default_Ignorable_Code_Point}\\u2800]`;
/** Format characters that are visible. */
const SEEN = `[\\u0600-\\u0605\\u06dd\\u0890\\u0891\\u08e2\\u{110bd}\\u{110cd}]`;
const HIDDEN = new RegExp(`(?=${UNSEEN})(?!${LEGITIMATE}|${SEEN}|[\\n\\t])[^]`, 'gu');

/**
 * A text for people: unseen characters as `\u202e`, so that no text looks like another. Lines and tabs stay.
 */
export function visibleText(text: string): string {
  return text.replaceAll('\r\n', '\n').replace(HIDDEN, escaped);
}

function escaped(char: string): string {
  const hex = (char.codePointAt(0) ?? 0).toString(16);
  return hex.length > 4 ? `\\u{${hex}}` : `\\u${hex.padStart(4, '0')}`;
}
