import { shorten } from '../base/shorten';
import type { Json, JsonObject } from '../base/json';
import { didYouMean } from '../base/did-you-mean';
import type { Finding, ProblemList } from './problem-list';
import type { SourceDocument } from './source-document';
import { LOST_SPELLINGS } from './convert';
import {
  mapToJson,
  toJson,
  typeName,
  type ListNode,
  type MapNode,
  type ScalarNode,
  type SourceNode,
} from './source-node';

/** Place of a mapping, for the `step` and `field` of problems. */
export interface Place {
  step?: string;
  /** Dotted path in the step or document, '' = the step or document itself. */
  field: string;
}

export interface ReaderContext {
  document: SourceDocument;
  problems: ProblemList;
  /** Elements of lists as they were read → where each stands in its list as it is written. */
  places: WeakMap<object, number>;
}

/** YAML 1.1 read these as true and false; YAML 1.2 reads text. */
const BOOLEAN_WORDS: Readonly<Record<string, boolean>> = {
  yes: true,
  on: true,
  y: true,
  true: true,
  no: false,
  off: false,
  n: false,
  false: false,
};

export interface NumberRule {
  required?: boolean;
  min?: number;
  max?: number;
  integer?: boolean;
}

/**
 * Reads the fields of one mapping and reports what is wrong with them. A reader method gives undefined for a field that
 * is absent, empty or wrong; an empty value (`key:`) counts as absent.
 */
export class MapReader {
  constructor(
    readonly scope: ReaderContext,
    readonly node: MapNode,
    readonly place: Place,
  ) {}

  /** A finding about this mapping; `name` is the field it is about. */
  report(finding: Omit<Finding, 'step' | 'field'>, name?: string): void {
    const field = name === undefined ? this.place.field : this.pathOf(name);
    const step = this.place.step;
    this.scope.problems.add({
      ...finding,
      ...(step === undefined ? {} : { step }),
      ...(field === '' ? {} : { field }),
      at: finding.at ?? (name === undefined ? this.node.at : this.placeOf(name)),
    });
  }

  pathOf(name: string): string {
    const { field } = this.place;
    return field === '' ? name : `${field}.${name}`;
  }

  /** Offset of a value, or of the mapping when the field is missing. */
  placeOf(name: string): number {
    return this.node.entries.get(name)?.value.at ?? this.node.at;
  }

  keyPlaceOf(name: string): number {
    return this.node.entries.get(name)?.keyAt ?? this.node.at;
  }

  has(name: string): boolean {
    return this.get(name) !== undefined;
  }

  /** Null is written, or nothing after the colon: most fields treat that as absent. */
  isNull(name: string): boolean {
    const node = this.node.entries.get(name)?.value;
    return node?.kind === 'scalar' && node.value === null;
  }

  get(name: string): SourceNode | undefined {
    return this.isNull(name) ? undefined : this.node.entries.get(name)?.value;
  }

  missing(name: string, suggestion?: string): void {
    const message = `\`${name}\` is missing.`;
    this.report(
      { code: 'missing_field', message, ...(suggestion === undefined ? {} : { suggestion }), at: this.node.at },
      name,
    );
  }

  string(name: string, rule: { required?: boolean } = {}): string | undefined {
    const node = this.need(name, rule.required);
    if (node === undefined) return undefined;
    if (node.kind === 'scalar' && typeof node.value === 'string') {
      if (/^[-+\d]/.test(node.value)) this.scope.problems.withdraw(LOST_SPELLINGS, node.at);
      if (rule.required !== true || node.value.trim() !== '') return node.value;
      this.missing(name);
      return undefined;
    }
    this.wrongType(name, node, 'text', node.kind === 'scalar' ? `Write "${this.written(node)}".` : undefined);
    return undefined;
  }

  /** Like `string`, but a number or true/false counts as it is written: `version: 1.0`. */
  text(name: string, rule: { required?: boolean } = {}): string | undefined {
    const node = this.get(name);
    if (node?.kind === 'scalar' && typeof node.value !== 'string') {
      this.scope.problems.withdraw(LOST_SPELLINGS, node.at);
      return this.written(node);
    }
    return this.string(name, rule);
  }

  number(name: string, rule: NumberRule = {}): number | undefined {
    const node = this.need(name, rule.required);
    if (node === undefined) return undefined;
    const { min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY, integer = false } = rule;
    if (node.kind !== 'scalar' || typeof node.value !== 'number') {
      this.wrongType(name, node, integer ? 'a whole number' : 'a number');
      return undefined;
    }
    if (node.value >= min && node.value <= max && (!integer || Number.isInteger(node.value))) return node.value;
    const kind = integer ? 'a whole number' : 'a number';
    const message = `\`${name}\` is ${node.value}, but it must be ${kind} ${range(min, max)}.`;
    this.report({ code: 'invalid_value', message }, name);
    return undefined;
  }

  boolean(name: string): boolean | undefined {
    const node = this.get(name);
    if (node === undefined) return undefined;
    if (node.kind === 'scalar' && typeof node.value === 'boolean') return node.value;
    const written = node.kind === 'scalar' && typeof node.value === 'string' ? node.value.toLowerCase() : '';
    const word = Object.hasOwn(BOOLEAN_WORDS, written) ? BOOLEAN_WORDS[written] : undefined;
    this.wrongType(name, node, 'true or false', word === undefined ? undefined : `Write ${word}.`);
    return undefined;
  }

  oneOf<T extends string>(name: string, allowed: readonly T[], rule: { required?: boolean } = {}): T | undefined {
    const value = this.string(name, rule);
    if (value === undefined) return undefined;
    const found = allowed.find((choice) => choice === value);
    if (found === undefined) {
      const near = this.scope.problems.isFull ? undefined : didYouMean(value, allowed);
      const message = `\`${name}\` is "${shorten(value)}", but it must be one of ${allowed.join(', ')}.`;
      this.report(
        { code: 'invalid_value', message, ...(near === undefined ? {} : { suggestion: `Write ${near}.` }) },
        name,
      );
    }
    return found;
  }

  map(name: string, rule: { required?: boolean } = {}): MapReader | undefined {
    const node = this.need(name, rule.required);
    if (node === undefined) return undefined;
    if (node.kind === 'map') return this.inner(node, name);
    this.wrongType(name, node, 'a mapping');
    return undefined;
  }

  list(name: string, rule: { required?: boolean } = {}): ListNode | undefined {
    const node = this.need(name, rule.required);
    if (node === undefined) return undefined;
    if (node.kind === 'list') return node;
    this.wrongType(name, node, 'a list', 'Write - and a blank before each element.');
    return undefined;
  }

  /** The results of `read` for the mappings of a list. One without a result is left out; those after it keep their places. */
  elements<T extends object>(
    name: string,
    read: (reader: MapReader) => T | undefined,
    rule: { required?: boolean; most?: number } = {},
  ): T[] {
    const found: T[] = [];
    this.list(name, rule)
      ?.items.slice(0, rule.most)
      .forEach((item, index) => {
        if (item.kind !== 'map') return this.wrongElement(name, index, item, 'a mapping');
        const element = read(this.inner(item, `${name}[${index}]`));
        if (element === undefined) return;
        this.scope.places.set(element, index);
        found.push(element);
      });
    return found;
  }

  /** `check` is asked about each text, with its place in the list as it is written. */
  strings(name: string, check?: (text: string, index: number) => void): string[] | undefined {
    const list = this.list(name);
    if (list === undefined) return undefined;
    const texts: string[] = [];
    list.items.forEach((item, index) => {
      if (item.kind === 'scalar' && typeof item.value === 'string') {
        check?.(item.value, index);
        texts.push(item.value);
      } else this.wrongElement(name, index, item, 'text');
    });
    return texts;
  }

  json(name: string): Json | undefined {
    const node = this.node.entries.get(name)?.value;
    return node === undefined ? undefined : toJson(node);
  }

  /** Reports keys that nothing reads. */
  rejectUnknown(known: readonly string[], what: string): void {
    for (const [key, entry] of this.node.entries) {
      if (known.includes(key)) continue;
      const near = this.scope.problems.isFull ? undefined : didYouMean(key, known);
      const message = `${what} has no field \`${shorten(key)}\`.`;
      const suggestion = near === undefined ? `Known fields: ${known.join(', ')}.` : `Did you mean \`${near}\`?`;
      this.report({ code: 'unknown_field', message, suggestion, at: entry.keyAt }, key);
    }
  }

  /** The mapping as plain data. */
  object(): JsonObject {
    return mapToJson(this.node);
  }

  /** Reads a text without reporting anything else. */
  peekString(name: string): string | undefined {
    const node = this.get(name);
    return node?.kind === 'scalar' && typeof node.value === 'string' ? node.value : undefined;
  }

  /** The same mapping as a step: fields of problems begin here. */
  ofStep(step: string): MapReader {
    return new MapReader(this.scope, this.node, { step, field: '' });
  }

  inner(node: MapNode, name: string): MapReader {
    return new MapReader(this.scope, node, { ...this.place, field: this.pathOf(name) });
  }

  wrongType(name: string, node: SourceNode, expected: string, suggestion?: string): void {
    const message = `\`${name}\` is ${typeName(node)}, but ${expected} is expected.`;
    this.report(
      { code: 'invalid_type', message, ...(suggestion === undefined ? {} : { suggestion }), at: node.at },
      name,
    );
  }

  wrongElement(name: string, index: number, node: SourceNode, expected: string): void {
    const message = `\`${name}[${index}]\` is ${typeName(node)}, but ${expected} is expected.`;
    this.report({ code: 'invalid_type', message, at: node.at }, `${name}[${index}]`);
  }

  private need(name: string, required: boolean | undefined): SourceNode | undefined {
    const node = this.get(name);
    if (node === undefined && required === true) this.missing(name);
    return node;
  }

  private written(node: ScalarNode): string {
    return this.scope.document.text.slice(node.at, node.end);
  }
}

function range(min: number, max: number): string {
  if (max === Number.POSITIVE_INFINITY) return `of at least ${min}`;
  return `from ${min} to ${max}`;
}
