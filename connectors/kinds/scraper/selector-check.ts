import type * as Cheerio from 'cheerio';

/** Loaded with the first selector that is checked. */
const cheerio = (): typeof Cheerio => require('cheerio') as typeof Cheerio;

const MAX_LENGTH = 500;
const MAX_NESTING = 3;
const MAX_SEARCHES = 4;

/** Fault of a CSS selector of a connector; undefined = none. Linear in its length. */
export function selectorFault(selector: string): string | undefined {
  if (selector.length > MAX_LENGTH || selector.trim() === '') {
    return `A selector has 1 to ${MAX_LENGTH} characters.`;
  }
  if (depthOf(selector) > MAX_NESTING) {
    return `Parentheses of a selector may be nested at most ${MAX_NESTING} deep.`;
  }
  if (selector.split(/:(?:has|contains|icontains)\(/i).length - 1 > MAX_SEARCHES) {
    return `At most ${MAX_SEARCHES} searches (\`:has\`, \`:contains\`) are allowed in one selector.`;
  }
  try {
    cheerio().load('<p></p>')('p').find(selector);
    return undefined;
  } catch {
    return `\`${selector}\` is no CSS selector.`;
  }
}

function depthOf(text: string): number {
  let depth = 0;
  let deepest = 0;
  for (const character of text) {
    depth += character === '(' ? 1 : character === ')' ? -1 : 0;
    deepest = Math.max(deepest, depth);
  }
  return deepest;
}
