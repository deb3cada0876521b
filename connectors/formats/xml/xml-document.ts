import { type Attr, Document, type Element, Node, parseXmlDocument } from 'slimdom';
import { FileFault } from '../file-fault';
import { sentence } from '../../../core/base/sentence';

const XMLNS = 'http://www.w3.org/2000/xmlns/';
const PLACE = /At line (\d+), character (\d+)/;
const NOT_CLOSED = /element "([^"]+)" is missing a closing tag/;
/** Against the standard, but real sources send it, and nothing is in doubt. */
const BEFORE_DECLARATION = /^\s+(?=<\?xml\s)/;

/**
 * Parses XML. Entity declarations are refused before parsing: neither an entity bomb nor a reference to another file or
 * address is ever looked at.
 */
export function parseXml(text: string): Document {
  refuseEntities(text);
  return parse(text);
}

/**
 * A tree in which namespaces do not matter: names are found with a resolver that gives `namespace` for every name
 * without a prefix. Most files have one namespace for all; only others need a second tree.
 */
export function parsePlainXml(text: string): { document: Document; namespace: string | null } {
  const document = parseXml(text);
  const namespace = ownNamespace(document);
  return namespace === undefined ? { document: withoutNamespaces(document), namespace: null } : { document, namespace };
}

/** The one namespace of all elements (`null` = none); nothing where they have several, or write prefixes. */
function ownNamespace(document: Document): string | null | undefined {
  const root = document.documentElement;
  const namespace = root?.namespaceURI ?? null;
  const work: Element[] = root === null ? [] : [root];
  const attributed: Element[] = [];
  for (let element = work.pop(); element !== undefined; element = work.pop()) {
    if (element.namespaceURI !== namespace || element.prefix !== null) {
      return undefined;
    }
    if (element.attributes.some(isForeign)) {
      attributed.push(element);
    }
    for (let child = element.firstElementChild; child !== null; child = child.nextElementSibling) {
      work.push(child);
    }
  }
  attributed.forEach(plainAttributes);
  return namespace;
}

function isForeign({ namespaceURI }: Attr): boolean {
  return namespaceURI !== null && namespaceURI !== XMLNS;
}

/** Attributes by their local names, too; one that is written without a prefix keeps its name. */
function plainAttributes(element: Element): void {
  const foreign = element.attributes.filter(isForeign);
  for (const { namespaceURI, localName, value } of foreign) {
    element.removeAttributeNS(namespaceURI, localName);
    if (!element.hasAttributeNS(null, localName)) {
      element.setAttributeNS(null, localName, value);
    }
  }
}

function parse(text: string): Document {
  const before = BEFORE_DECLARATION.exec(text)?.[0] ?? '';
  try {
    return parseXmlDocument(text.slice(before.length));
  } catch (error) {
    if (error instanceof RangeError) {
      throw new FileFault('malformed_xml', 'The XML is nested too deeply to be read.');
    }
    throw malformed(error instanceof Error ? error.message : String(error), text, before);
  }
}

function malformed(message: string, text: string, before: string): FileFault {
  const found = PLACE.exec(message);
  const place = found === null ? undefined : placeBehind(before, Number(found[1]), Number(found[2]));
  const open = NOT_CLOSED.exec(message);
  if (open !== null) {
    // Named is where the element begins; what is wrong is where the file ends.
    const begun = place === undefined ? '' : ` of line ${place.line}`;
    const reason = `it ends before the element "${open[1]}"${begun} is closed`;
    return new FileFault('malformed_xml', `The file is not well-formed XML: ${reason}.`, placeBehind(text, 1, 1));
  }
  const first = sentence(message.split('\n')[0] ?? '');
  return new FileFault('malformed_xml', `The file is not well-formed XML: ${first}`, place ?? {});
}

/** A place behind a text, as a place in the file that begins with it. */
function placeBehind(before: string, line: number, column: number): { line: number; column: number } {
  const lines = before.split('\n');
  const indent = lines[lines.length - 1]?.length ?? 0;
  return { line: line + lines.length - 1, column: line === 1 ? column + indent : column };
}

/** A document type declaration may be there (it is not used), entity declarations may not. */
function refuseEntities(text: string): void {
  const start = text.indexOf('<!DOCTYPE');
  if (start < 0) {
    return;
  }
  const entity = text.indexOf('<!ENTITY', start);
  if (entity >= 0) {
    const before = text.slice(0, entity).split('\n');
    throw new FileFault(
      'xml_entities_refused',
      'The XML declares entities. They are refused: they can read other files or grow without bound.',
      {
        line: before.length,
        column: (before[before.length - 1] ?? '').length + 1,
      },
    );
  }
}

/** A copy in which every element and attribute goes by its local name. Iterative: depth costs no stack. */
function withoutNamespaces(source: Document): Document {
  const target = new Document();
  const work: [Node, Node][] = [];
  for (const child of source.childNodes) {
    if (child.nodeType === Node.ELEMENT_NODE) {
      work.push([child, target.appendChild(plainElement(target, child as Element))]);
    }
  }
  for (let item = work.pop(); item !== undefined; item = work.pop()) {
    const [from, to] = item;
    for (const child of from.childNodes) {
      if (child.nodeType === Node.ELEMENT_NODE) {
        work.push([child, to.appendChild(plainElement(target, child as Element))]);
      } else if (child.nodeType === Node.TEXT_NODE || child.nodeType === Node.CDATA_SECTION_NODE) {
        to.appendChild(target.createTextNode(child.nodeValue ?? ''));
      }
    }
  }
  return target;
}

function plainElement(target: Document, source: Element): Element {
  const element = target.createElementNS(null, source.localName);
  for (const attribute of source.attributes) {
    if (attribute.namespaceURI !== XMLNS) {
      element.setAttributeNS(null, attribute.localName, attribute.value);
    }
  }
  return element;
}
