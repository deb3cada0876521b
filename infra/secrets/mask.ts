import type { Json } from '../../core/base/json';
import { safeRecord } from '../../core/connector/fields';
import { MASK, Redactor } from './redactor';

/** Takes the secrets of one call out of what comes back from a source or a model. A call may learn more of them on its way. */
export class Mask {
  private readonly secrets = new Set<string>();
  private readonly redactor = new Redactor();

  constructor(secrets: readonly string[] = []) {
    this.add(...secrets);
  }

  /** A secret, a part of it, or what was derived from it. */
  add(...values: readonly string[]): void {
    for (const value of values) {
      if (this.secrets.has(value)) continue;
      this.secrets.add(value);
      this.redactor.add(value);
    }
  }

  readonly text = (text: string): string => this.redactor.text(text);

  /** Every text of a value, keys included. The value itself when there is nothing to mask. */
  json(value: Json): Json {
    return this.secrets.size === 0 ? value : this.deep(value);
  }

  /** The value that was read from `source`. Most answers hold no secret in any spelling, so that no part of them does. */
  parsed(value: Json, source: string): Json {
    return this.text(source) === source ? value : this.json(value);
  }

  private deep(value: Json): Json {
    if (typeof value === 'string') {
      return this.text(value);
    }
    if (typeof value === 'number') {
      return this.text(String(value)) === MASK ? MASK : value;
    }
    if (Array.isArray(value)) {
      return value.map((item) => this.deep(item));
    }
    if (typeof value === 'object' && value !== null) {
      return safeRecord(Object.entries(value).map(([key, item]) => [this.text(key), this.deep(item)] as const));
    }
    return value;
  }
}
