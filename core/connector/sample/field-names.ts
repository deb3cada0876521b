import { wordsOf } from '../openapi/words';

const MAX_NAME = 63;
/** Names that are never keys of a data object. */
const NO_KEYS = ['constructor', 'prototype'];

/** Gives snake_case names and no name twice. `taken` are names that the result has for itself. */
export class FieldNames {
  private readonly taken: Set<string>;

  constructor(taken: readonly string[]) {
    this.taken = new Set([...taken, ...NO_KEYS]);
  }

  nameFor(parts: readonly string[]): string {
    const words = wordsOf(parts.join(' '), '_').slice(0, MAX_NAME).replace(/_+$/, '');
    const start = words === '' ? 'field' : /^\d/.test(words) ? `field_${words}`.slice(0, MAX_NAME) : words;
    let name = start;
    for (let number = 2; this.taken.has(name); number += 1) {
      name = `${start.slice(0, MAX_NAME - 5)}_${number}`;
    }
    this.taken.add(name);
    return name;
  }
}
