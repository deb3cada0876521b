/**
 * Writes a text so that rendering it as a template gives exactly this text: `{a}` becomes `{{a}}`.
 * A closing brace is doubled only where it closes an opening one, as the template language pairs them.
 */
export function escapeBraces(text: string): string {
  let open = 0;
  let escaped = '';
  for (const char of text) {
    if (char === '{') {
      open += 1;
      escaped += '{{';
    } else if (char === '}' && open > 0) {
      open -= 1;
      escaped += '}}';
    } else {
      escaped += char;
    }
  }
  return escaped;
}
