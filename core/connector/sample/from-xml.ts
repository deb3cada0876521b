import { FieldNames } from './field-names';
import { RESULT_NAMES } from './from-json';
import { typeOfTexts } from './infer-type';
import type { SampleShape } from './shape';
import { MAX_FIELDS, MAX_RECORDS } from './shape';

/** An element without its namespace. */
export interface XmlElement {
  name: string;
  attributes: readonly (readonly [string, string])[];
  children: readonly XmlElement[];
  /** The element's own text, without that of its children. */
  text: string;
}

const MAX_DEPTH = 12;
/** Elements of a record inside each other whose texts become fields. */
const MAX_FLAT = 5;

/** Shape of an XML sample: the records are the largest group of siblings of one name, else the document itself. */
export function shapeOfXml(root: XmlElement): SampleShape {
  const list = listIn(root);
  const records = list?.elements ?? [root];
  const columns = new Map<string, Column>();
  for (const record of records.slice(0, MAX_RECORDS)) collect(columns, record, []);
  const single = list === undefined;
  const names = new FieldNames(single ? RESULT_NAMES : []);
  const base = single ? `/${root.name}/` : '';
  return {
    format: 'xml',
    single,
    ...(single ? {} : { list: list.path }),
    records: records.length,
    fields: [...columns].map(([path, { texts, repeated }]) => ({
      field: names.nameFor(path === '.' ? ['text'] : path.split('/').map((part) => part.replace('@', ''))),
      path: path === '.' && single ? `/${root.name}` : `${base}${path}`,
      type: repeated ? 'array' : typeOfTexts(texts),
    })),
    unnamed: [],
  };
}

interface XmlList {
  path: string;
  elements: XmlElement[];
  /** The elements have parts, they are not mere texts. */
  structured: boolean;
}

/** Groups inside records are data of the records: nothing below a group is looked at. */
function listIn(root: XmlElement): XmlList | undefined {
  const lists = new Map<string, XmlList>();
  let level: { element: XmlElement; path: string }[] = [{ element: root, path: `/${root.name}` }];
  for (let depth = 0; depth < MAX_DEPTH && level.length > 0; depth += 1) {
    const next: typeof level = [];
    for (const { element, path } of level) {
      for (const [name, group] of byName(element.children)) {
        const own = `${path}/${name}`;
        if (group.length > 1) add(lists, own, group);
        else next.push(...group.map((child) => ({ element: child, path: own })));
      }
    }
    level = next;
  }
  return [...lists.values()].reduce<XmlList | undefined>(
    (best, list) => (isBetter(list, best) ? list : best),
    undefined,
  );
}

function isBetter(list: XmlList, best: XmlList | undefined): boolean {
  if (best === undefined || list.structured !== best.structured) return best === undefined || list.structured;
  return list.elements.length > best.elements.length;
}

function add(lists: Map<string, XmlList>, path: string, group: XmlElement[]): void {
  const structured = group.some(({ children, attributes }) => children.length > 0 || attributes.length > 0);
  lists.set(path, { path, elements: group, structured });
}

function byName(elements: readonly XmlElement[]): Map<string, XmlElement[]> {
  const groups = new Map<string, XmlElement[]>();
  for (const element of elements) {
    const group = groups.get(element.name);
    if (group === undefined) groups.set(element.name, [element]);
    else group.push(element);
  }
  return groups;
}

interface Column {
  texts: string[];
  repeated: boolean;
}

function collect(columns: Map<string, Column>, element: XmlElement, path: readonly string[]): void {
  const at = path.join('/');
  for (const [name, value] of element.attributes) note(columns, at === '' ? `@${name}` : `${at}/@${name}`, [value]);
  const isLeaf = element.children.length === 0 && element.attributes.length === 0;
  if (isLeaf || element.text.trim() !== '') note(columns, at === '' ? '.' : at, [element.text]);
  if (path.length >= MAX_FLAT) return;
  for (const [name, group] of byName(element.children)) {
    const [first] = group;
    if (group.length > 1)
      note(
        columns,
        [...path, name].join('/'),
        group.map(({ text }) => text),
        true,
      );
    else if (first !== undefined) collect(columns, first, [...path, name]);
  }
}

function note(columns: Map<string, Column>, path: string, texts: string[], repeated = false): void {
  const column = columns.get(path);
  if (column !== undefined) {
    column.texts.push(...texts);
    column.repeated ||= repeated;
  } else if (columns.size < MAX_FIELDS) {
    columns.set(path, { texts: [...texts], repeated });
  }
}
