import type { Json } from '../base/json';

/**
 * Field types of contracts and schemas: string | number | integer | boolean | date | object | any | record |
 * record_set | entity | ... and `<type>[]`.
 */
export type FieldType = string;

export interface FieldSpec {
  name: string;
  type: FieldType;
  description?: string;
  required?: boolean;
  default?: Json;
  enum?: string[];
  /** Values of `enum` that are part of the language but not executable yet. */
  not_yet?: string[];
  /** Known fields of a record, `record[]` or object. Absent = any field is accepted. */
  fields?: FieldSpec[];
  /** Null is a value of its own here, or cannot be given at all; absent = null is as good as nothing. */
  nullable?: boolean;
  /** The value must be written out in the playbook: no references. */
  literal?: boolean;
}

/** Effect of a call outside the platform. `transactional` = only our own database, in the result's transaction. */
export type EffectKind = 'none' | 'transactional' | 'idempotent' | 'keyed' | 'unsafe';

/** The one description of an action: validation, the composer, the API and the runner all read it. */
export interface ActionContract {
  name: string;
  group: string;
  description: string;
  step_type: 'tool' | 'llm_task' | 'control';
  inputs: FieldSpec[];
  params: FieldSpec[];
  outputs: FieldSpec[];
  /** Inputs beyond the declared ones are accepted under any name (model tasks, sub-playbooks). */
  open_inputs?: boolean;
  /** Source of the real inputs or outputs where the contract alone does not know them. */
  dynamic?: 'connector_endpoint' | 'output_schema' | 'input_shape' | 'children';
  /** True if it may travel in a segment: no wait, no approval, no model, seconds at most. */
  short: boolean;
  /** A pure function of its inputs: may run inline in the workflow. */
  pure: boolean;
  effect: EffectKind;
  /** False = declared, not executable yet: refused at validation unless the step is `optional`. */
  available: boolean;
  requires?: string;
}
