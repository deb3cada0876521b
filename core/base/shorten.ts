/** The beginning of a text, ended by … where something is left out; no character is cut in half. */
export function shorten(text: string, limit: number): string {
  if (text.length <= limit) {
    return text;
  }
  const last = text.charCodeAt(limit - 1);
  const cut = last >= 0xd800 && last <= 0xdbff ? limit - 1 : limit;
  return `${text.slice(0, cut)}…`;
}
