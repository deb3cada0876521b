import { Document } from 'slimdom';
import type { Element, Node } from 'slimdom';
import type { HtmlNode } from './html-text';

const NAME = /^[A-Za-z_][A-Za-z0-9_.-]*$/;

/**
 * The page as an XML tree, for XPath. Names that XML does not know are written with `_` in place of other characters.
 * Keeps which element came from which, in both directions.
 */
export class XmlView {
  readonly document = new Document();
  private readonly views = new Map<HtmlNode, Element>();
  private readonly origins = new Map<Node, HtmlNode>();

  constructor(root: HtmlNode) {
    const work: [HtmlNode, Node][] = [[root, this.document]];
    for (let item = work.pop(); item !== undefined; item = work.pop()) {
      const [from, to] = item;
      for (const child of from.children ?? []) {
        const copy = this.copy(child, to);
        if (copy !== undefined) {
          work.push([child, copy]);
        }
      }
    }
  }

  viewOf(node: HtmlNode): Node {
    return this.views.get(node) ?? this.document;
  }

  originOf(view: Node): HtmlNode | undefined {
    return this.origins.get(view);
  }

  /** The copy of an element, whose children are still to be copied. */
  private copy(node: HtmlNode, parent: Node): Element | undefined {
    if (node.type === 'text' && parent !== this.document) {
      parent.appendChild(this.document.createTextNode(xmlText(node.data ?? '')));
    }
    // A document has one element; what a broken page has beside it holds nothing.
    const isElement = node.name !== undefined && node.attribs !== undefined;
    if (!isElement || (parent === this.document && this.document.documentElement !== null)) {
      return undefined;
    }
    const view = this.document.createElementNS(null, xmlName(node.name));
    for (const [name, value] of Object.entries(node.attribs)) {
      view.setAttributeNS(null, xmlName(name), xmlText(value));
    }
    parent.appendChild(view);
    this.views.set(node, view);
    this.origins.set(view, node);
    return view;
  }
}

/** `xmlns` would declare what nobody uses. */
function xmlName(name: string): string {
  return NAME.test(name)
    ? name.replace(/^xmlns$/, '_xmlns')
    : `_${name.replace(/[^A-Za-z0-9_.-]/g, '_')}`.replace(/^_(?=[A-Za-z_])/, '');
}

/** Control characters are no part of XML. */
function xmlText(text: string): string {
  return text.replace(/\p{Cc}|[\ufffe\uffff]/gu, (found) => (/\s|[\x7f-\x9f]/.test(found) ? found : '\ufffd'));
}
