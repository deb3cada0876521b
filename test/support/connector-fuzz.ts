import { parse } from 'yaml';
import type { Json, JsonObject } from '../../core/base/json';
import { isJsonObject } from '../../core/base/json';
import { connectorJsonSchema } from '../../core/connector/json-schema/connector-schema';
import { FIXTURES } from '../core/connector/fixtures';
import { objectsOf } from '../core/connector/schema-walk';
import { EXPRESSIONS, PATHS, QUERIES, TEXTS } from './connector-fuzz-texts';

/**
 * Random definitions of connectors: a fixture (together the fixtures use every part of the language) in which some fields
 * of the published schema have unusual values. The same seed gives the same definition.
 */

const schema = connectorJsonSchema();
const fixtures = Object.values(FIXTURES);

export interface Chance {
  whole(below: number): number;
  pick<Item>(items: readonly Item[]): Item;
  maybe(share: number): boolean;
}

/** Mulberry32. */
export function chance(seed: number): Chance {
  let state = seed;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
  const whole = (below: number): number => Math.floor(next() * below);
  return { whole, pick: (items) => items[whole(items.length)] as never, maybe: (share) => next() < share };
}

export interface FuzzSource {
  url: string;
  port: number;
}

export function definitionOf(random: Chance, source: FuzzSource): string {
  const text = random
    .pick(fixtures)
    .replace(/https:\/\/[a-z.]+/g, (address) => (random.maybe(0.9) ? source.url : address));
  const data = parse(text) as JsonObject;
  const values = new Values(random, source);
  for (let changes = random.whole(4); changes >= 0; changes -= 1) {
    const place = random.pick(objectsOf(schema, data));
    const names = Object.keys(place.properties);
    const object = place.path.reduce<Json>((at, key) => (at as Record<string, Json>)[key] ?? null, data);
    if (names.length === 0 || !isJsonObject(object)) continue;
    const name = random.pick(names);
    if (random.maybe(0.1)) Reflect.deleteProperty(object, name);
    else object[name] = values.of(place.properties[name] as JsonObject, 0);
  }
  return JSON.stringify(data);
}

class Values {
  private readonly texts: readonly string[];

  constructor(
    private readonly random: Chance,
    source: FuzzSource,
  ) {
    this.texts = [...addresses(source), ...TEXTS, ...PATHS, ...EXPRESSIONS, ...QUERIES];
  }

  of(given: JsonObject, depth: number): Json {
    const { random } = this;
    const part = given;
    if (typeof part['$ref'] === 'string') {
      return this.of((schema['$defs'] as JsonObject)[part['$ref'].replace('#/$defs/', '')] as JsonObject, depth);
    }
    if (random.maybe(0.03)) return random.pick<Json>([null, true, -1, 0.5, '', [], {}, 'x', [null]]);
    if (part['const'] !== undefined) return part['const'];
    if (Array.isArray(part['enum'])) return random.pick(part['enum']);
    const branches = (part['properties'] === undefined ? (part['oneOf'] ?? part['anyOf']) : undefined) as Json;
    if (Array.isArray(branches)) return this.of(random.pick(branches) as JsonObject, depth);
    switch (part['type']) {
      case 'string':
        return random.pick(this.texts);
      case 'integer':
        return this.number(part);
      case 'boolean':
        return random.maybe(0.5);
      case 'array':
        return Array.from({ length: depth > 4 ? 0 : random.whole(4) }, () =>
          this.of(part['items'] as JsonObject, depth + 1),
        );
      case 'object':
        return this.object(part, depth);
      default:
        return random.pick<Json>([1, 'a', null, true, { a: 1 }, [1, 'b'], random.pick(this.texts), 1e21, '']);
    }
  }

  private object(part: JsonObject, depth: number): JsonObject {
    const { random } = this;
    const properties = (part['properties'] ?? {}) as Record<string, JsonObject>;
    const required = (part['required'] ?? []) as string[];
    const result: JsonObject = {};
    for (const [name, rule] of Object.entries(properties)) {
      if (depth < 5 && (required.includes(name) || random.maybe(0.4))) result[name] = this.of(rule, depth + 1);
    }
    const others = part['additionalProperties'];
    if (isJsonObject(others)) {
      for (let count = random.whole(3); count > 0; count -= 1) {
        const name = random.pick([...KEYS, random.pick(this.texts)]);
        Object.defineProperty(result, name, {
          value: this.of(others, depth + 1),
          enumerable: true,
          configurable: true,
          writable: true,
        });
      }
    }
    return result;
  }

  private number({ minimum = 0, maximum = 1_000 }: JsonObject): number {
    const [least, most] = [Number(minimum), Number(maximum)];
    return this.random.pick([least, most, least + 1, least - 1, most + 1, Math.min(most, 3), least + 0.5]);
  }
}

/** A value for an input of that type, or of another. */
export function inputValue(random: Chance, type: string): Json {
  const fitting: Record<string, readonly Json[]> = {
    integer: [0, -1, 7, '12', 2 ** 53],
    number: [0.1, -0, 1e308, '1.5'],
    boolean: [true, 'false'],
    date: ['2024-02-29', '2024-02-30', '0000-01-01'],
    datetime: ['2024-02-29T10:00:00Z', '2024-02-29'],
    array: [['a', 1], [], [[null]]],
    object: [{ a: 1 }, {}],
  };
  const usual = fitting[type] ?? ['a', 'x y', ...TEXTS];
  return random.maybe(0.8)
    ? random.pick(usual)
    : random.pick<Json>([null, {}, [], -1, 'ü', '\0', { a: [{}] }, ...TEXTS]);
}

const KEYS = ['a', 'b', '__proto__', 'constructor', 'toString', 'X-A', 'name', 'results', 'default', ''];

const addresses = ({ url, port }: FuzzSource): string[] => [
  url,
  `${url}/`,
  `${url}/v1/`,
  `${url}/%`,
  `${url}/%zz/%2e%2e/é`,
  `${url}/{id}`,
  `${url}?a=b`,
  `${url}#x`,
  `${url}///`,
  `HTTP://127.0.0.1:${port}`,
  `http://localhost:${port}`,
  `http://localhost.:${port}`,
  `http://127.1:${port}`,
  `http://0x7f000001:${port}`,
  `http://%31%32%37.0.0.1:${port}`,
  `http://[::ffff:127.0.0.1]:${port}`,
  `http://[::1]:${port}`,
  `http://[fe80::1%25lo]:${port}/`,
  `http://[fe80::1%lo]:${port}/`,
  'http://[::1',
  'http://[v1.x]/',
  `http://user:pw@127.0.0.1:${port}`,
  `http://@127.0.0.1:${port}`,
  `http://127.0.0.1:${port}@evil.test`,
  'http://127.0.0.1:',
  'http://127.0.0.1:0',
  'http://127.0.0.1:65536',
  'http://127.0.0.1:99999999999',
  'http://127.0.0.1:8a',
  'http://127.0.0.1:-1',
  'http://bücher.test',
  'http://xn--.test',
  'http://xn--bcher-kva.test',
  'http://a..test',
  'http://.test',
  'http://-.test',
  'http://_dmarc.test',
  'http://a_b.test',
  'http://256.256.256.256',
  'http://1.2.3.4.5',
  'http://4294967296',
  'http://a\u00adb.test',
  'http://\u2024\u2024.test',
  'http://a\u0001b.test',
  'http://a\u007fb.test',
  'http://a%00b.test',
  'http://a%2fb.test',
  'http://a^b.test',
  'http://a|b.test',
  'http://a<b>.test',
  'http://*.test',
  'http://h\\x',
  'http:/127.0.0.1',
  'http:///x',
  'https://',
  '//127.0.0.1',
  'ftp://127.0.0.1',
  'file:///etc/passwd',
  'javascript:alert(1)',
  ` ${url}`,
  `http://${'a'.repeat(64)}.test`,
  `http://${'a.'.repeat(130)}test`,
  'http://\ud800.test',
  `http://[fe80::1%eth0]:${port}/`,
  `http://[::1%2525lo]:${port}/`,
  `http://[fe80::1%25${'z'.repeat(100)}]/`,
  `http://[::127.0.0.1]:${port}`,
  `http://[0:0:0:0:0:ffff:7f00:1]:${port}`,
  `http://[::1]]:${port}`,
  'http://[]',
  'http://[:::]',
  'http://[::1]x',
  `http://１２７.０.０.１:${port}`,
  `http://127。0。0。1:${port}`,
  `http://127.0.0.1:0${port}`,
  `http://127.0.0.1:${port}/a b`,
  `http://127.0.0.1:${port}/a\tb`,
  `\thttp://127.0.0.1:${port}\n`,
  `\ufeff${url}`,
  `${url}/${'a/'.repeat(5_000)}`,
  `${url}/?${'q=1&'.repeat(5_000)}`,
  `http://{host}:${port}`,
  `http://127.0.0.1:{port}`,
  `{url}`,
  `http://\${HOST}:${port}`,
  `${url}/{{id}}/{id`,
  `http://:pw@127.0.0.1:${port}`,
  `http://u%00:p%zz@127.0.0.1:${port}`,
  `${url}#/{id}?x=1`,
  `${url}/%E0%A4%A`,
  `${url}\\x`,
  'http://faß.test',
  'http://😀.test',
  'http://ａ.test',
  'http://xn--a.test',
  'http://xn--0.test',
  'http://a‍b.test',
  'http://test..',
  'http://1e3',
  'http://0x.test',
  'http://%E4.test',
  'https:127.0.0.1',
  'http:\\\\127.0.0.1',
  'blob:http://127.0.0.1/x',
  'data:text/plain,x',
];
