import type { ParsedFeed } from './parsed-feed';

/**
 * A feed of the same kind with every item of this one directly in its place, where more items are written than `found`:
 * an element before them that never ends took them in. Nothing where none is missing. Linear.
 */
export function gatheredItems(xml: string, use: { format: ParsedFeed['format']; found: number }): string | undefined {
  const name = use.format === 'atom' ? 'entry' : 'item';
  const items = itemTexts(xml, name);
  if (items.length <= use.found) {
    return undefined;
  }
  const open = xml.slice(0, xml.indexOf('>') + 1);
  const root = /^<([^\s>/]+)/.exec(open)?.[1] ?? 'rss';
  const all = items.join('');
  return use.format === 'rss' ? `${open}<channel>${all}</channel></${root}>` : `${open}${all}</${root}>`;
}

/** CDATA is text. */
function itemTexts(xml: string, name: string): string[] {
  const marks = new RegExp(`<!\\[CDATA\\[|<${name}(?=[\\s>])|</${name}>`, 'g');
  const items: string[] = [];
  let start = -1;
  for (let mark = marks.exec(xml); mark !== null; mark = marks.exec(xml)) {
    if (mark[0].startsWith('<!')) {
      const end = xml.indexOf(']]>', mark.index);
      marks.lastIndex = end < 0 ? xml.length : end;
    } else if (mark[0].startsWith('</')) {
      items.push(...(start < 0 ? [] : [xml.slice(start, marks.lastIndex)]));
      start = -1;
    } else {
      start = mark.index;
    }
  }
  return items;
}
