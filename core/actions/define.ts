import type { FieldSpec, FieldType } from './types';

type Extra = Omit<FieldSpec, 'name' | 'type' | 'description' | 'required'>;

/** A slot that must be filled. */
export function req(name: string, type: FieldType, description: string, extra: Extra = {}): FieldSpec {
  return { name, type, description, required: true, ...extra };
}

/** A slot that may stay empty. */
export function opt(name: string, type: FieldType, description: string, extra: Extra = {}): FieldSpec {
  return { name, type, description, ...extra };
}

/** A field of a result; `fields` are those of the record or of each element of a list. */
export function out(name: string, type: FieldType, description: string, fields?: FieldSpec[]): FieldSpec {
  return fields === undefined ? { name, type, description } : { name, type, description, fields };
}

/** `cols('name', 'score:number')`: plain columns of a record; the type defaults to string. */
export function cols(...specs: string[]): FieldSpec[] {
  return specs.map((spec) => {
    const [name = spec, type = 'string'] = spec.split(':');
    return { name, type };
  });
}
