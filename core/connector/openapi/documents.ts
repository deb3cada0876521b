import { shorten } from '../../base/shorten';
import type { Json } from '../../base/json';
import { isJsonObject, ownField } from '../../base/json';
import type { ImportReport } from './import-report';
import { parseReference } from './pointer';
import { mergedWithSiblings } from './ref-siblings';
import type { DocumentNode } from './document-node';

/** A document with the addresses of those that it refers to. */
export interface LinkedDocument {
  json: Json;
  /** References as the document writes them → the address under which they were loaded. */
  links: ReadonlyMap<string, string>;
}

const MAX_HOPS = 20;

/** All documents of one import; follows references between them. */
export class Documents {
  private readonly siblingsCount: boolean;

  constructor(
    private readonly loaded: ReadonlyMap<string, LinkedDocument>,
    private readonly report: ImportReport,
  ) {
    const root = loaded.get('')?.json ?? null;
    // YAML reads `3.1` as a number.
    const version = isJsonObject(root) ? ownField(root, 'openapi') : undefined;
    this.siblingsCount = /^3\.[1-9]/.test(JSON.stringify(version ?? '').replaceAll('"', ''));
  }

  root(): DocumentNode {
    return { document: '', path: [], value: this.loaded.get('')?.json ?? null };
  }

  /** The value below a key or an index, its references followed; nothing where there is none. */
  child(node: DocumentNode, key: string | number): DocumentNode | undefined {
    const inner = childOf(node, key);
    return inner === undefined ? undefined : this.resolved(inner);
  }

  /** Every entry of an object or a list, its references followed. */
  children(node: DocumentNode | undefined): { key: string; node: DocumentNode }[] {
    if (node === undefined) return [];
    return keysOf(node.value).flatMap((key) => {
      const inner = this.child(node, key);
      return inner === undefined ? [] : [{ key: String(key), node: inner }];
    });
  }

  text(node: DocumentNode | undefined, key: string): string | undefined {
    const value = node === undefined ? undefined : this.child(node, key)?.value;
    return typeof value === 'string' ? value : undefined;
  }

  flag(node: DocumentNode, key: string): boolean {
    return isJsonObject(node.value) && ownField(node.value, key) === true;
  }

  /** Follows `$ref` to its end. A circle, a place that is not there, or a document that was not loaded is reported. */
  private resolved(start: DocumentNode): DocumentNode | undefined {
    let node = start;
    const beside: DocumentNode[] = [];
    for (let hop = 0; hop < MAX_HOPS; hop += 1) {
      const ref = isJsonObject(node.value) ? ownField(node.value, '$ref') : undefined;
      if (typeof ref !== 'string') return this.withSiblings(node, beside);
      const next = this.follow(node, ref);
      if (next === undefined) return undefined;
      beside.push(node);
      node = next;
    }
    this.report.warn('circular_reference', 'This reference leads back to itself; it is left out.', start);
    return undefined;
  }

  /** Ignores keys beside a `$ref` before 3.1, as the standard does. */
  private withSiblings(end: DocumentNode, references: readonly DocumentNode[]): DocumentNode {
    if (references.length === 0 || !this.siblingsCount) return end;
    return references.reduceRight((target, start) => mergedWithSiblings(start, target, this.report), end);
  }

  private follow(node: DocumentNode, ref: string): DocumentNode | undefined {
    const shown = shorten(ref, 200);
    const reference = parseReference(ref);
    const document =
      reference === undefined || reference.file === ''
        ? node.document
        : this.loaded.get(node.document)?.links.get(reference.file);
    const target = document === undefined ? undefined : this.loaded.get(document);
    if (reference === undefined || document === undefined || target === undefined) {
      this.report.warn(
        'reference_not_loaded',
        `\`${shown}\` cannot be followed; what it stands for is left out.`,
        node,
      );
      return undefined;
    }
    let found: DocumentNode | undefined = { document, path: [], value: target.json };
    for (const segment of reference.pointer) {
      found = childOf(found, Array.isArray(found.value) && /^\d{1,9}$/.test(segment) ? Number(segment) : segment);
      if (found === undefined) {
        this.report.warn('reference_not_found', `There is nothing at \`${shown}\`; it is left out.`, node);
        return undefined;
      }
    }
    return found;
  }
}

/** Tells values apart: two references to one place have one key. */
export function keyOf(node: DocumentNode): string {
  const place = `${node.document}#/${node.path.join('/')}`;
  return node.variant === undefined ? place : `${place} ${node.variant}`;
}

function keysOf(value: Json): (string | number)[] {
  if (Array.isArray(value)) return value.map((_item, index) => index);
  return isJsonObject(value) ? Object.keys(value) : [];
}

function childOf(node: DocumentNode, key: string | number): DocumentNode | undefined {
  const { value } = node;
  const inner = Array.isArray(value)
    ? typeof key === 'number'
      ? value[key]
      : undefined
    : isJsonObject(value)
      ? ownField(value, String(key))
      : undefined;
  if (inner === undefined) return undefined;
  const own = { document: node.document, path: [...node.path, key], value: inner };
  return node.variant === undefined ? own : { ...own, variant: node.variant };
}
