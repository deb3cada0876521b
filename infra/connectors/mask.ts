import type { Json } from '../../core/base/json';
import { safeRecord } from '../../core/connector/fields';
import { redactor } from '../secrets/redactor';

/** Takes the secrets of one call out of what comes back from a source. */
export class Mask {
  readonly text: (text: string) => string;

  constructor(private readonly secrets: readonly string[]) {
    this.text = redactor(secrets);
  }

  /** Every text of a value, keys included. The value itself when there is nothing to mask. */
  json(value: Json): Json {
    return this.secrets.length === 0 ? value : this.deep(value);
  }

  private deep(value: Json): Json {
    if (typeof value === 'string') {
      return this.text(value);
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
