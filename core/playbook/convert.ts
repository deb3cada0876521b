import { isAlias, isMap, isScalar, isSeq, type Alias, type Node, type Pair, type Scalar, type YAMLMap } from 'yaml';
import { shorten } from '../base/shorten';
import { readNumber } from '../base/number-rule';
import { isOtherYamlNumber } from '../base/yaml-number';
import { MAX_EXPANSION } from './limits';
import type { ProblemList } from './problem-list';
import type { ListNode, MapEntry, MapNode, ScalarNode, SourceNode } from './source-node';

const ZEROS_LOST = { code: 'leading_zero', what: 'its leading zeros are', it: 'them' };
/** `1.10`, `0x1F`, `12e3`: as a number, a name, a version or a code would change. */
const SPELLING_LOST = { code: 'number_spelling', what: 'the way it is written is', it: 'it' };

/** Warnings of numbers that are taken back where the written text counts. */
export const LOST_SPELLINGS: readonly string[] = [ZEROS_LOST.code, SPELLING_LOST.code];

/** Turns the library's nodes into ours; undefined when an alias cannot be followed. Depth is bounded by the tokenizer. */
export function convert(contents: unknown, text: string, problems: ProblemList): SourceNode | undefined {
  const converter = new Converter(text, problems);
  const root = converter.node(contents, 0);
  return converter.failed ? undefined : root;
}

class Converter {
  failed = false;
  private readonly anchors = new Map<string, SourceNode>();
  private expanded = 0;

  constructor(
    private readonly text: string,
    private readonly problems: ProblemList,
  ) {}

  node(value: unknown, fallback: number): SourceNode {
    if (isAlias(value)) return this.alias(value);
    const made = this.plain(value, fallback);
    const anchor = (value as Node | null)?.anchor;
    if (typeof anchor === 'string') this.anchors.set(anchor, made);
    return made;
  }

  private plain(value: unknown, fallback: number): SourceNode {
    if (isScalar(value)) return this.scalar(value, fallback);
    if (isMap(value)) return this.map(value, fallback);
    if (isSeq(value)) {
      const at = value.range?.[0] ?? fallback;
      const items = value.items.map((item) => this.node(item, at));
      const size = items.reduce((sum, item) => sum + item.size, 1);
      return { kind: 'list', items, at, end: value.range?.[1] ?? at, size } satisfies ListNode;
    }
    return { kind: 'scalar', value: null, at: fallback, end: fallback, size: 1 };
  }

  private alias(alias: Alias): SourceNode {
    const at = alias.range?.[0] ?? 0;
    const target = this.anchors.get(alias.source);
    this.expanded += target?.size ?? 0;
    if (target !== undefined && this.expanded <= MAX_EXPANSION) return target;
    if (!this.failed && target === undefined) {
      const message = `The alias *${alias.source} has no anchor &${alias.source} before it.`;
      this.problems.add({ code: 'unknown_alias', message, at, suggestion: 'Write the value out.' });
    } else if (!this.failed) {
      const message = `The aliases stand for more than ${MAX_EXPANSION} values.`;
      this.problems.add({ code: 'too_many_aliases', message, at, suggestion: 'Write the values out.' });
    }
    this.failed = true;
    return { kind: 'scalar', value: null, at, end: at, size: 1 };
  }

  private scalar(scalar: Scalar, fallback: number): ScalarNode {
    const at = scalar.range?.[0] ?? fallback;
    const end = scalar.range?.[1] ?? at;
    return { kind: 'scalar', value: this.scalarValue(scalar, at), at, end, size: 1 };
  }

  private scalarValue(scalar: Scalar, at: number): ScalarNode['value'] {
    const { value } = scalar;
    if (typeof value === 'number') return this.number(value, scalar.source ?? String(value), at);
    if (typeof value === 'string' && scalar.type === 'PLAIN' && isOtherYamlNumber(value)) this.otherNumber(value, at);
    return typeof value === 'string' || typeof value === 'boolean' ? value : null;
  }

  private otherNumber(text: string, at: number): void {
    const plain = Number(text.replaceAll('_', '').toLowerCase());
    const suggestion = `Write "${shorten(text, 40)}" for the text${Number.isSafeInteger(plain) ? `, or ${plain} for the number` : ''}.`;
    const message = `${shorten(text, 40)} is text in YAML 1.2, no number.`;
    this.problems.add({ severity: 'warning', code: SPELLING_LOST.code, message, at, suggestion });
  }

  private number(value: number, source: string, at: number): number {
    const shown = shorten(source, 40);
    const decimal = readNumber(source);
    // Hexadecimal and octal numbers are read by the YAML library alone.
    if (typeof decimal === 'string' || (decimal === undefined && !Number.isSafeInteger(value))) {
      const message = `The number ${shown} cannot be held exactly.`;
      this.problems.add({ code: 'invalid_number', message, at, suggestion: `Write it as text: "${shown}".` });
      return 0;
    }
    const lost = /^[-+]?0\d/.test(source) ? ZEROS_LOST : source === String(value) ? undefined : SPELLING_LOST;
    if (lost !== undefined) {
      this.problems.add({
        severity: 'warning',
        code: lost.code,
        message: `${shown} is read as the number ${value}; ${lost.what} lost.`,
        at,
        suggestion: `Write "${shown}" to keep ${lost.it}${lost === ZEROS_LOST ? '' : `, or ${value} for the number`}.`,
      });
    }
    return value + 0;
  }

  private map(map: YAMLMap, fallback: number): MapNode {
    const at = map.range?.[0] ?? fallback;
    const end = map.range?.[1] ?? at;
    if (map.flow === true) this.checkUnquoted(map, at, end);
    if (map.flow === true) this.checkBlanks(map);
    const entries = new Map<string, MapEntry>();
    let size = 1;
    for (const pair of map.items) {
      const key = this.key(pair, at);
      const value = this.node(pair.value, key.end);
      size += value.size;
      if (key.name !== undefined && this.keepKey(key.name, key.at, entries)) {
        entries.set(key.name, { keyAt: key.at, value });
      }
    }
    return { kind: 'map', entries, at, end, size };
  }

  private key(pair: Pair, fallback: number): { name?: string; at: number; end: number } {
    const { key } = pair;
    const at = (key as Node | null)?.range?.[0] ?? fallback;
    const end = (key as Node | null)?.range?.[1] ?? at;
    if (isScalar(key)) return { name: typeof key.value === 'string' ? key.value : (key.source ?? ''), at, end };
    this.problems.add({
      code: 'invalid_key',
      message: 'A key must be a name.',
      at,
      suggestion: 'Write the key as text.',
    });
    return { at, end };
  }

  private keepKey(name: string, at: number, entries: Map<string, MapEntry>): boolean {
    if (name === '__proto__') {
      this.problems.add({
        code: 'invalid_key',
        message: 'The key `__proto__` is not allowed.',
        at,
        suggestion: 'Rename it.',
      });
      return false;
    }
    if (name === '<<') {
      const message = '`<<` (merge) is not part of YAML 1.2: nothing would be merged.';
      this.problems.add({ code: 'merge_key', message, at, suggestion: 'Write the fields out.' });
      return false;
    }
    if (!entries.has(name)) return true;
    const shown = shorten(name);
    const message = `The key \`${shown}\` is written twice in one mapping.`;
    this.problems.add({ code: 'duplicate_key', message, at, suggestion: 'Remove one of them.' });
    return false;
  }

  /** `{a:1}` is one key without a value. */
  private checkBlanks(map: YAMLMap): void {
    for (const { key, value } of map.items) {
      if (
        !isScalar(key) ||
        key.type !== 'PLAIN' ||
        (value !== null && (value as Scalar).range?.[0] !== (value as Scalar).range?.[1])
      )
        continue;
      const [, name = '', rest] = /^([A-Za-z_][\w.-]*):([^\s:/].*)$/.exec(key.source ?? '') ?? [];
      if (rest === undefined) continue;
      const message = `Behind \`${name}:\` a blank is missing: \`${shorten(key.source ?? '')}\` is one name without a value.`;
      const at = key.range?.[0] ?? 0;
      this.problems.add({
        severity: 'warning',
        code: 'missing_blank',
        message,
        at,
        suggestion: `Write ${name}: ${shorten(rest)}.`,
      });
    }
  }

  /** `{name}` without quotes is a mapping in YAML, but a person who writes it means a reference. */
  private checkUnquoted(map: YAMLMap, at: number, end: number): void {
    const [only] = map.items;
    if (map.items.length !== 1 || only === undefined || !isScalar(only.key) || end - at > 200) return;
    const written = this.text.slice(at, end);
    if (/[:?]/.test(written) || written.includes('\n')) return;
    const message = `${written} without quotes is a mapping, not a reference.`;
    this.problems.add({ code: 'unquoted_reference', message, at, suggestion: `Write "${written}".` });
  }
}
