import type { JsonObject } from '../../base/json';
import { NAME } from '../patterns';
import type { ValueType } from '../types';
import type { Documents } from './documents';
import type { SchemaView } from './schema-view';
import { viewOf } from './schema-view';
import { isReserved, sentenceOf } from './words';

/** Records inside records that a playbook can still name. */
const MAX_DEPTH = 4;
const MAX_FIELDS = 300;

/** Fields of records as an `output_schema` lists them; all of one import together stay within a budget. */
export class OutputFields {
  private left = 4000;

  constructor(private readonly documents: Documents) {}

  /** Fields of an object's properties. A schema inside itself is named, and not opened a second time. */
  of(view: SchemaView, inside: readonly string[] = []): JsonObject[] {
    if (inside.length >= MAX_DEPTH) return [];
    const path = [...inside, view.key];
    const fields: JsonObject[] = [];
    for (const [name, node] of view.properties) {
      if (!NAME.pattern.test(name) || isReserved(name) || fields.length >= MAX_FIELDS || this.left <= 0) continue;
      const property = viewOf(this.documents, node);
      if (property.writeOnly) continue;
      this.left -= 1;
      fields.push(this.field(name, property, path));
    }
    return fields;
  }

  private field(name: string, view: SchemaView, path: readonly string[]): JsonObject {
    const element = view.items === undefined ? undefined : viewOf(this.documents, view.items);
    const nested = view.type === 'array' ? element : view;
    const open = nested !== undefined && nested.properties.size > 0 && !path.includes(nested.key);
    const fields = open ? this.of(nested, path) : [];
    const description = sentenceOf(view.description);
    return {
      name,
      type: view.type === 'array' ? `${elementType(element)}[]` : typeName(view.type),
      ...(description === undefined ? {} : { description }),
      ...(fields.length === 0 ? {} : { fields }),
    };
  }
}

function elementType(element: SchemaView | undefined): string {
  if (element === undefined || element.type === 'array') return 'any';
  return element.type === 'object' ? 'record' : typeName(element.type);
}

/** The name that schemas of records have for a type. */
export function typeName(type: ValueType): string {
  if (type === 'datetime') return 'string';
  return type === 'array' ? 'any[]' : type;
}
