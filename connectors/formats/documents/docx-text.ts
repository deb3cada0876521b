import type { Element, Node } from 'slimdom';

const SKIPPED = new Set(['del', 'Fallback', 'instrText', 'delText', 'pPr', 'rPr', 'txbxContent']);
const MARKS = new Map([
  ['tab', '\t'],
  ['cr', '\n'],
  ['noBreakHyphen', '-'],
  ['softHyphen', ''],
]);

/** Columns that Word knows. */
const MAX_SPAN = 63;

interface Paragraph {
  text: string;
  /** Id of its style, such as `Heading1`. */
  style: string | null;
}

export type Block = { kind: 'paragraph'; paragraph: Paragraph } | { kind: 'table'; rows: string[][] };

/** Paragraphs and tables of a body in their order; what content controls and insertions hold counts, deletions do not. */
export function blocksOf(body: Element): Block[] {
  const blocks: Block[] = [];
  for (const element of flowOf(body)) {
    if (element.localName === 'p') {
      blocks.push({ kind: 'paragraph', paragraph: paragraphOf(element) });
      boxesOf(element).forEach((paragraph) => blocks.push({ kind: 'paragraph', paragraph }));
    } else {
      blocks.push({ kind: 'table', rows: rowsOf(element) });
    }
  }
  return blocks;
}

/** `p` and `tbl` elements in the flow of text below an element, without looking into them. */
function flowOf(parent: Element): Element[] {
  return childrenOf(parent).flatMap((child) => {
    if (child.localName === 'p' || child.localName === 'tbl') {
      return [child];
    }
    return SKIPPED.has(child.localName) ? [] : flowOf(child);
  });
}

function paragraphOf(element: Element): Paragraph {
  const style = descend(element, ['pPr', 'pStyle']);
  return { text: textOf(element), style: style === undefined ? null : (attribute(style, 'val') ?? null) };
}

function textOf(element: Element): string {
  if (element.localName === 't') {
    return element.textContent ?? '';
  }
  if (element.localName === 'br') {
    const type = attribute(element, 'type');
    return type === undefined || type === 'textWrapping' ? '\n' : '';
  }
  const mark = element.parentElement?.localName === 'r' ? MARKS.get(element.localName) : undefined;
  return (
    mark ??
    childrenOf(element)
      .map((child) => (SKIPPED.has(child.localName) ? '' : textOf(child)))
      .join('')
  );
}

/** Text boxes belong to a paragraph and are read after it. */
function boxesOf(paragraph: Element): Paragraph[] {
  const found: Paragraph[] = [];
  const work = childrenOf(paragraph);
  for (let element = work.shift(); element !== undefined; element = work.shift()) {
    if (element.localName === 'txbxContent') {
      flowOf(element).forEach((inner) => inner.localName === 'p' && found.push(paragraphOf(inner)));
    } else if (element.localName !== 'Fallback' && element.localName !== 'del') {
      work.unshift(...childrenOf(element));
    }
  }
  return found;
}

/**
 * A cell is its paragraphs, joined by line breaks; a table inside a cell gives its cells' text. A cell over several
 * columns is followed by empty ones, so that columns keep their places.
 */
function rowsOf(table: Element): string[][] {
  return nested(table, 'tr').map((row) =>
    nested(row, 'tc').flatMap((cell) => [cellText(cell), ...Array<string>(spanOf(cell) - 1).fill('')]),
  );
}

function spanOf(cell: Element): number {
  const span = descend(cell, ['tcPr', 'gridSpan']);
  const width = span === undefined ? 1 : Number(attribute(span, 'val'));
  return Number.isInteger(width) && width > 0 && width <= MAX_SPAN ? width : 1;
}

function cellText(cell: Element): string {
  return flowOf(cell)
    .map((element) =>
      element.localName === 'p'
        ? textOf(element)
        : rowsOf(element)
            .map((row) => row.join('\t'))
            .join('\n'),
    )
    .join('\n')
    .trim();
}

/** Elements of that name below, not inside another of the same table. */
function nested(parent: Element, name: string): Element[] {
  return childrenOf(parent).flatMap((child) => {
    if (child.localName === name) {
      return [child];
    }
    return child.localName === 'tbl' || child.localName === 'p' || SKIPPED.has(child.localName)
      ? []
      : nested(child, name);
  });
}

function descend(element: Element, names: readonly string[]): Element | undefined {
  let current: Element | undefined = element;
  for (const name of names) {
    current = childrenOf(current).find((child) => child.localName === name);
    if (current === undefined) {
      return undefined;
    }
  }
  return current;
}

function attribute(element: Element, localName: string): string | undefined {
  return element.attributes.find((found) => found.localName === localName)?.value;
}

function childrenOf(element: Element): Element[] {
  return element.childNodes.filter((child: Node): child is Element => child.nodeType === 1);
}
