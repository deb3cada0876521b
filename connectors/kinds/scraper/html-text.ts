/** A node of the parsed page; the parser's own nodes have this shape. */
export interface HtmlNode {
  readonly type: string;
  readonly name?: string;
  readonly data?: string;
  readonly attribs?: { readonly [name: string]: string };
  readonly children?: readonly HtmlNode[];
}

const UNSEEN = new Set(['script', 'style', 'template', 'head', 'title']);
/** Elements that begin a line of their own, so that words of neighbours do not run together. */
const BLOCKS = new Set(
  (
    'address article aside blockquote br caption dd details dialog div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 ' +
    'h6 header hr li main nav ol option p pre section summary table tbody td tfoot th thead tr ul'
  ).split(' '),
);

/** Text as a reader sees it: no scripts, one space where there is white space or a new line. Iterative: depth costs no stack. */
export function visibleText(root: HtmlNode): string {
  const parts: string[] = [];
  const work: (HtmlNode | ' ')[] = [root];
  for (let item = work.pop(); item !== undefined; item = work.pop()) {
    if (item === ' ') {
      parts.push(' ');
    } else if (item.type === 'text') {
      parts.push(item.data ?? '');
    } else if (item === root || !UNSEEN.has(item.name ?? '')) {
      pushChildren(item, work);
    }
  }
  return parts.join('').replace(/\s+/g, ' ').trim();
}

function pushChildren(node: HtmlNode, work: (HtmlNode | ' ')[]): void {
  const isBlock = BLOCKS.has(node.name ?? '');
  const children = node.children ?? [];
  if (isBlock) {
    work.push(' ');
  }
  for (let index = children.length - 1; index >= 0; index -= 1) {
    work.push(children[index] as HtmlNode);
  }
  if (isBlock) {
    work.push(' ');
  }
}
