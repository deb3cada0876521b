import { shorten } from '../base/shorten';
import { didYouMean } from '../base/did-you-mean';
import type { Json, JsonObject } from '../base/json';
import { isJsonObject, ownField } from '../base/json';
import type { Path } from '../playbook/source-node';
import type { Bounds, DefaultBounds } from './limits';
import { MAX_TEXT } from './limits';
import type { ProblemOptions, Report } from './report';

export interface TextRule {
  required?: boolean;
  /** The value must match; `hint` says what is expected. */
  pattern?: RegExp;
  hint?: string;
  max?: number;
}

/**
 * One object of a definition. Each reader takes its key; `done` reports the keys that nobody took.
 * A wrong value is reported and read as absent, so that all problems come at once.
 */
export class Fields {
  private readonly taken = new Set<string>();

  constructor(
    readonly report: Report,
    readonly path: Path,
    readonly value: JsonObject,
  ) {}

  /** The object at `path`, or nothing with a problem. */
  static of(report: Report, path: Path, value: Json | undefined): Fields | undefined {
    if (isJsonObject(value)) {
      return new Fields(report, path, value);
    }
    report.add(path, 'invalid_type', `Expected keys and values here, found ${nameOf(value)}.`);
    return undefined;
  }

  at(name: string): Path {
    return [...this.path, name];
  }

  raw(name: string): Json | undefined {
    this.taken.add(name);
    const value = ownField(this.value, name);
    return value === null ? undefined : value;
  }

  /** The value as it is written, null too. */
  given(name: string): Json | undefined {
    this.taken.add(name);
    return ownField(this.value, name);
  }

  has(name: string): boolean {
    return this.raw(name) !== undefined;
  }

  text(name: string, rule: TextRule = {}): string | undefined {
    const value = this.raw(name);
    if (value === undefined) {
      return this.missing(name, rule.required);
    }
    if (typeof value !== 'string') {
      return this.wrong(name, 'a text', value);
    }
    const max = rule.max ?? MAX_TEXT;
    if (/\p{Surrogate}/u.test(value)) {
      this.report.add(this.at(name), 'invalid_value', `\`${name}\` contains half of a character (a lone surrogate).`);
      return undefined;
    }
    if (value.trim() === '' || value.length > max || (rule.pattern !== undefined && !rule.pattern.test(value))) {
      const hint = rule.hint ?? `a text of 1 to ${max} characters`;
      this.report.add(this.at(name), 'invalid_value', `\`${name}\` must be ${hint}; found \`${shorten(value, 80)}\`.`);
      return undefined;
    }
    return value;
  }

  choice<T extends string>(name: string, options: readonly T[], rule: { required?: boolean } = {}): T | undefined {
    const value = this.raw(name);
    return value === undefined ? this.missing(name, rule.required) : this.option(name, this.at(name), value, options);
  }

  /** A text or a list of texts, each one of `options` and none of them twice. */
  choices<T extends string>(name: string, options: readonly T[]): T[] | undefined {
    const raw = this.raw(name);
    if (raw === undefined) {
      return undefined;
    }
    const items = (Array.isArray(raw) ? raw : [raw]).slice(0, MAX_TEXT);
    const found = items.flatMap((item, index) => {
      const path = Array.isArray(raw) ? [...this.at(name), index] : this.at(name);
      return this.option(name, path, item, options) ?? [];
    });
    if (new Set(found).size < found.length) {
      this.report.add(this.at(name), 'duplicate_name', `\`${name}\` names one of its values twice.`);
    }
    return [...new Set(found)];
  }

  private option<T extends string>(name: string, path: Path, value: Json, options: readonly T[]): T | undefined {
    const found = options.find((option) => option === value);
    if (found === undefined) {
      const message = `\`${name}\` is \`${show(value)}\`; it must be one of ${options.join(', ')}.`;
      this.report.add(path, 'invalid_value', message, typeof value === 'string' ? nearestName(value, options) : {});
    }
    return found;
  }

  /** Reads one of several spellings of a key; two of them at once are a problem. */
  spelling(first: string, ...others: string[]): string {
    const used = [first, ...others].filter((name) => this.has(name));
    const [name = first, second] = used;
    if (second !== undefined) {
      this.report.add(this.at(second), 'duplicate_name', `\`${second}\` says the same as \`${name}\`; keep one.`, {
        at: 'key',
      });
    }
    return name;
  }

  /** A whole number within its bounds; their default where there is none. */
  integer(name: string, bounds: DefaultBounds): number;
  integer(name: string, bounds: Bounds): number | undefined;
  integer(name: string, bounds: Bounds & { default?: number }): number | undefined {
    return this.wholeNumber(name, bounds) ?? bounds.default;
  }

  private wholeNumber(name: string, { min, max }: Bounds): number | undefined {
    const value = this.raw(name);
    if (value === undefined) {
      return undefined;
    }
    if (typeof value !== 'number' || !Number.isInteger(value) || value < min || value > max) {
      return this.wrong(name, `a whole number from ${min} to ${max}`, value);
    }
    return value;
  }

  flag(name: string): boolean | undefined {
    const value = this.raw(name);
    return value === undefined || typeof value === 'boolean' ? value : this.wrong(name, '`true` or `false`', value);
  }

  child(name: string): Fields | undefined {
    const value = this.raw(name);
    return value === undefined ? undefined : Fields.of(this.report, this.at(name), value);
  }

  list(name: string): { value: Json; path: Path }[] | undefined {
    const value = this.raw(name);
    if (value === undefined) {
      return undefined;
    }
    if (!Array.isArray(value)) {
      return this.wrong(name, 'a list', value);
    }
    return value.map((item, index) => ({ value: item, path: [...this.at(name), index] }));
  }

  /** A list of objects. An invalid element is reported and kept as an empty object, so that later elements keep their indexes. */
  children(name: string): Fields[] {
    return (this.list(name) ?? []).map(
      ({ path, value }) => Fields.of(this.report, path, value) ?? new Fields(this.report.muted(), path, {}),
    );
  }

  /** A text or a list of texts. */
  texts(name: string): string[] | undefined {
    const value = this.raw(name);
    const list = typeof value === 'string' ? [value] : value;
    if (list === undefined) {
      return undefined;
    }
    if (
      !Array.isArray(list) ||
      list.length === 0 ||
      !list.every((item) => typeof item === 'string' && item.trim() !== '')
    ) {
      return this.wrong(name, 'a text or a list of texts', list);
    }
    return list as string[];
  }

  /** `name → text` pairs. */
  textMap(name: string): Record<string, string> | undefined {
    const child = this.child(name);
    if (child === undefined) {
      return undefined;
    }
    const pairs: [string, string][] = [];
    for (const key of Object.keys(child.value)) {
      const text = child.text(key);
      if (text !== undefined) {
        pairs.push([key, text]);
      }
    }
    return safeRecord(pairs);
  }

  /** Reports a key that may not stand here, where it does. */
  refuse(name: string, message: string, suggestion: string): void {
    if (ownField(this.value, name) !== undefined) {
      this.taken.add(name);
      this.report.add(this.at(name), 'not_allowed', message, { at: 'key', suggestion });
    }
  }

  /** Reports every key that was not read. */
  done(): void {
    for (const key of Object.keys(this.value)) {
      if (!this.taken.has(key) && !this.report.isFull) {
        const known = [...this.taken].sort().join(', ');
        this.report.add(this.at(key), 'unknown_field', `\`${key}\` is not known here. Known: ${known}.`, {
          at: 'key',
          ...nearestName(key, [...this.taken]),
        });
      }
    }
  }

  private missing(name: string, required: boolean | undefined): undefined {
    if (required === true) {
      this.report.add(this.path, 'missing_field', `\`${name}\` is missing.`, { suggestion: `Add \`${name}:\` here.` });
    }
    return undefined;
  }

  private wrong(name: string, expected: string, value: Json): undefined {
    this.report.add(this.at(name), 'invalid_type', `\`${name}\` must be ${expected}; found ${nameOf(value)}.`);
    return undefined;
  }
}

/** The known name that was probably meant, as a suggestion. */
export function nearestName(written: string, known: readonly string[]): Pick<ProblemOptions, 'suggestion'> {
  const near = didYouMean(written, known);
  return near === undefined ? {} : { suggestion: `Did you mean \`${near}\`?` };
}

/** Data keys never reach a prototype. */
export function safeRecord<T>(pairs: Iterable<readonly [string, T]>): Record<string, T> {
  const record = Object.create(null) as Record<string, T>;
  for (const [key, value] of pairs) {
    record[key] = value;
  }
  return record;
}

function nameOf(value: Json | undefined): string {
  if (value === undefined || value === null) {
    return 'nothing';
  }
  if (Array.isArray(value)) {
    return 'a list';
  }
  return typeof value === 'object' ? 'keys and values' : `\`${show(value)}\``;
}

function show(value: Json): string {
  return shorten(typeof value === 'string' ? value : (JSON.stringify(value) ?? ''), 80);
}
