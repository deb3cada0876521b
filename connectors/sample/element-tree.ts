import { Node } from 'slimdom';
import type { Element } from 'slimdom';
import type { XmlElement } from '../../core/connector/sample/from-xml';

const MAX_ELEMENTS = 50_000;

interface Growing extends XmlElement {
  children: XmlElement[];
  text: string;
}

/** The elements of a document as plain data; a very large one as far as its shape needs. Depth costs no stack. */
export function elementTree(root: Element): XmlElement {
  const top = emptyOf(root);
  const queue: [Element, Growing][] = [[root, top]];
  let count = 1;
  for (let index = 0; index < queue.length; index += 1) {
    const [source, target] = queue[index] as [Element, Growing];
    for (const node of source.childNodes) {
      if (node.nodeType === Node.ELEMENT_NODE && count < MAX_ELEMENTS) {
        count += 1;
        const child = emptyOf(node as Element);
        target.children.push(child);
        queue.push([node as Element, child]);
      } else if (node.nodeType === Node.TEXT_NODE || node.nodeType === Node.CDATA_SECTION_NODE) {
        target.text += node.nodeValue ?? '';
      }
    }
  }
  return top;
}

function emptyOf(element: Element): Growing {
  const attributes = element.attributes.map((attribute) => [attribute.localName, attribute.value] as const);
  return { name: element.localName, attributes, children: [], text: '' };
}
