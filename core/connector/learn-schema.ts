import type { FieldSpec } from '../actions/types';
import { isDate } from '../base/calendar';
import { isInstant } from '../base/instant';
import type { Json, JsonObject } from '../base/json';
import { isJsonObject } from '../base/json';
import type { EndpointSchema } from './types';

/** Lists and records inside each other are described up to this depth; below it they are `object` and `any[]`. */
const MAX_DEPTH = 8;
/** Limit of fields of one record; a table with more columns is described by its first ones. */
const MAX_FIELDS = 500;
/** Sources leave out the seconds, the zone or its colon; they are added before `isInstant` checks the text. */
const LOOSE_INSTANT = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2})(:\d{2}(?:\.\d{1,9})?)?(?:Z|([+-]\d{2}):?(\d{2}))?$/;

/** The shape that a sample of records has. Fields come in the order in which they are first seen. Linear in the sample. */
export function learnSchema(records: readonly Json[]): EndpointSchema {
  const seen = new Seen();
  records.forEach((record) => seen.add(record, 0));
  const isRecords = records.length === 0 || seen.kinds.has('object');
  return {
    type: isRecords ? 'record_set' : 'scalar',
    fields: isRecords ? seen.fieldSpecs() : [{ name: 'value', type: seen.type() }],
    metadata_fields: [],
  };
}

type Kind = 'string' | 'date' | 'datetime' | 'number' | 'integer' | 'boolean' | 'object' | 'array';

/** Values that stood at one place of the records. */
class Seen {
  readonly kinds = new Set<Kind>();
  private count = 0;
  private nulls = 0;
  private readonly fields = new Map<string, Seen>();
  private element: Seen | undefined;

  add(value: Json, depth: number): void {
    this.count += 1;
    if (value === null) {
      this.nulls += 1;
      return;
    }
    const kind = kindOf(value);
    this.kinds.add(kind);
    if (depth >= MAX_DEPTH) {
      return;
    }
    if (Array.isArray(value)) {
      this.element ??= new Seen();
      for (const item of value) this.element.add(item, depth + 1);
    } else if (isJsonObject(value)) {
      this.addFields(value, depth);
    }
  }

  private addFields(record: JsonObject, depth: number): void {
    for (const [name, value] of Object.entries(record)) {
      let field = this.fields.get(name);
      if (field === undefined && this.fields.size < MAX_FIELDS) {
        field = new Seen();
        this.fields.set(name, field);
      }
      field?.add(value, depth + 1);
    }
  }

  fieldSpecs(): FieldSpec[] {
    const records = this.count - this.nulls;
    return [...this.fields].map(([name, field]) => field.spec(name, records));
  }

  /** `required`: there and not null in every record. */
  private spec(name: string, records: number): FieldSpec {
    const nested = this.kinds.has('array') ? this.element : this;
    const inner = nested?.kinds.has('object') === true && nested.kinds.size === 1 ? nested.fieldSpecs() : [];
    return {
      name,
      type: this.type(),
      ...(this.count === records && this.nulls === 0 ? { required: true } : {}),
      ...(inner.length === 0 ? {} : { fields: inner }),
    };
  }

  /** `any` where nothing but null was seen, or kinds that have nothing in common. */
  type(): string {
    const kinds = [...this.kinds];
    const [only] = kinds;
    if (only === undefined) return 'any';
    if (kinds.length === 1) return only === 'array' ? `${this.element?.elementType() ?? 'any'}[]` : only;
    if (kinds.every((kind) => kind === 'number' || kind === 'integer')) return 'number';
    return kinds.every((kind) => kind === 'string' || kind === 'date' || kind === 'datetime') ? 'string' : 'any';
  }

  /** Lists of lists have no name of their own. */
  private elementType(): string {
    return this.kinds.has('array') ? 'any' : this.type();
  }
}

function kindOf(value: Exclude<Json, null>): Kind {
  if (Array.isArray(value)) return 'array';
  switch (typeof value) {
    case 'number':
      return Number.isInteger(value) ? 'integer' : 'number';
    case 'boolean':
      return 'boolean';
    case 'string':
      return isDate(value) ? 'date' : isLooseInstant(value) ? 'datetime' : 'string';
    default:
      return 'object';
  }
}

function isLooseInstant(text: string): boolean {
  const [, minute = '', seconds = ':00', zoneHour = '+00', zoneMinute = '00'] = LOOSE_INSTANT.exec(text) ?? [];
  return isInstant(`${minute}${seconds}${zoneHour}:${zoneMinute}`);
}
