import type { Json, JsonObject } from '../base/json';

/** A YAML or JSON text as data that knows its places. Offsets are 0-based code units of the text. */
export type SourceNode = ScalarNode | ListNode | MapNode;

export interface ScalarNode {
  kind: 'scalar';
  value: string | number | boolean | null;
  at: number;
  end: number;
  /** Nodes in it, itself included. */
  size: number;
}
export interface ListNode {
  kind: 'list';
  items: SourceNode[];
  at: number;
  end: number;
  size: number;
}
export interface MapNode {
  kind: 'map';
  entries: Map<string, MapEntry>;
  at: number;
  end: number;
  size: number;
}
export interface MapEntry {
  keyAt: number;
  value: SourceNode;
}

export type Path = readonly (string | number)[];

/** The plain value of a node. Keys can never set a prototype: reading the source refuses `__proto__`. */
export function toJson(node: SourceNode): Json {
  if (node.kind === 'scalar') return node.value;
  if (node.kind === 'list') return node.items.map(toJson);
  return mapToJson(node);
}

export function mapToJson(node: MapNode): JsonObject {
  const object: JsonObject = {};
  for (const [key, entry] of node.entries) object[key] = toJson(entry.value);
  return object;
}

/** Name of a node's type for people. */
export function typeName(node: SourceNode): string {
  if (node.kind === 'list') return 'a list';
  if (node.kind === 'map') return 'a mapping';
  if (node.value === null) return 'empty';
  if (typeof node.value === 'string') return 'text';
  return typeof node.value === 'number' ? `the number ${node.value}` : String(node.value);
}
