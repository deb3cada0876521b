/** Length limit of a foreign name or value in a message. */
const IN_MESSAGES = 60;

/** The beginning of a text, ended by … where something is left out; no character is cut in half. */
export function shorten(text: string, limit = IN_MESSAGES): string {
  return text.length <= limit ? text : `${firstOf(text, limit)}…`;
}

/** The same where the … counts too: a text of at most `limit` units. */
export function shortenWithin(text: string, limit: number): string {
  return text.length <= limit ? text : `${firstOf(text, limit - 1).trimEnd()}…`;
}

/** Takes so many UTF-16 units from the beginning, and no half of a character. */
export function firstOf(text: string, limit: number): string {
  const last = text.charCodeAt(limit - 1);
  return text.slice(0, text.length > limit && last >= 0xd800 && last <= 0xdbff ? limit - 1 : limit);
}
