import type { Document, Node } from 'slimdom';
import type { Json, JsonObject } from '../../../core/base/json';
import { safeRecord } from '../../../core/connector/fields';
import type { FileEndpoint, FileField, FileList } from '../../../core/connector/types';
import { convertText } from '../../../core/connector/convert';
import { FileFault } from '../file-fault';
import { carryFields, Warnings } from '../parsed-file';
import type { ParsedFile } from '../parsed-file';
import { absentField, type SearchedList } from '../../kinds/files/unseen-fields';
import { parsePlainXml, parseXml } from './xml-document';
import { evaluatePath, isNode } from './xpath';
import { parentPaths } from './xpath-parent';
import type { XPathItem, XPathOptions } from './xpath';

/** Reads one XML text by the endpoint's paths. Throws FileFault. */
export function parseXmlFile(endpoint: FileEndpoint, text: string): ParsedFile {
  const { document, names } = read(endpoint, text);
  const reader = new XmlReader(document, names);
  const root =
    endpoint.root_element === undefined ? (document as Node) : reader.nodes(endpoint.root_element, document)[0];
  if (root === undefined) {
    throw new FileFault(
      'root_not_found',
      `The file has no \`${endpoint.root_element}\`. Is it another kind of document?`,
      { line: 1, column: 1 },
    );
  }
  const own: FileList = {
    fields: endpoint.fields,
    carry: [],
    ...(endpoint.list_element === undefined ? {} : { list_element: endpoint.list_element }),
  };
  const records = reader.rows(own, root);
  if (records.length === 0) reader.noteMissing(own.list_element ?? [], root, endpoint.list_required === true);
  const groups = safeRecord(
    Object.entries(endpoint.groups).map(([name, group]) => [name, reader.rows(group, root, name)] as const),
  );
  const first = endpoint.list_element === undefined ? records[0] : undefined;
  return {
    records,
    groups: carryFields(endpoint, first, groups),
    warnings: reader.warnings.list,
    looked: reader.looked,
  };
}

/** Prefix → namespace; `default` for names without one. */
type Names = Readonly<Record<string, string | null>>;

function read(endpoint: FileEndpoint, text: string): { document: Document; names: Names } {
  if (endpoint.namespaces !== undefined) {
    return { document: parseXml(text), names: endpoint.namespaces };
  }
  const { document, namespace } = parsePlainXml(text);
  return { document, names: { default: namespace } };
}

class XmlReader {
  readonly warnings = new Warnings();
  readonly looked: SearchedList[] = [];
  private readonly options: XPathOptions;

  constructor(
    private readonly document: Document,
    namespaces: Names,
  ) {
    const known = new Map(Object.entries(namespaces));
    this.options = { namespaceResolver: (prefix) => known.get(prefix === '' ? 'default' : prefix) ?? null };
  }

  rows(list: FileList, root: Node, group?: string): JsonObject[] {
    const nodes =
      list.list_element === undefined ? [root] : list.list_element.flatMap((path) => this.nodes(path, root));
    const seen = new Set<string>();
    const rows = nodes.map((node) => this.row(list.fields, node, seen));
    if (nodes.length > 0) {
      const absent = list.fields.filter(({ field }) => !seen.has(field)).map((field) => absentField(field, []));
      this.looked.push({ isTable: false, absent, ...(group === undefined ? {} : { group }) });
    }
    return rows;
  }

  /** Takes a path without a node for an empty list only if its parent exists; else the file is of another kind. */
  noteMissing(paths: readonly string[], root: Node, isRequired: boolean): void {
    const holders = paths.flatMap((path) => parentPaths(path)).filter((path) => path !== undefined);
    if (paths.length === 0 || holders.some((path) => this.nodes(path, root).length > 0)) return;
    const first = this.document.documentElement?.nodeName ?? '';
    const message = `it has no \`${paths.join(' | ')}\`, nor what would hold it; its root element is <${first}>`;
    if (isRequired) throw new FileFault('records_not_found', message, { line: 1, column: 1 });
    this.warnings.note(paths[0] ?? '', `The file gives no records: ${message}.`);
  }

  nodes(path: string, context: Node): Node[] {
    return evaluatePath(path, context, this.options).filter(isNode);
  }

  private row(fields: FileField[], node: Node, seen: Set<string>): JsonObject {
    return Object.fromEntries(fields.map((field) => [field.field, this.value(field, node, seen)]));
  }

  /** The first alternative that finds anything wins; a value of the wrong type is null and noted. */
  private value(field: FileField, node: Node, seen: Set<string>): Json {
    for (const path of field.paths) {
      const found = evaluatePath(path, node, this.options).map(textOf);
      if (found.length === 0) {
        continue;
      }
      seen.add(field.field);
      if (field.type === 'array') {
        return found.map((text) => text.trim());
      }
      const text = field.join === undefined ? (found[0] ?? '') : found.map((part) => part.trim()).join(field.join);
      const value = convertText(text, field.type);
      if (value === undefined) {
        this.warnings.mismatch(field.field, field.type, text);
      }
      return value ?? null;
    }
    return null;
  }
}

function textOf(item: XPathItem): string {
  return isNode(item) ? ((item as { textContent?: string | null }).textContent ?? '') : String(item);
}
