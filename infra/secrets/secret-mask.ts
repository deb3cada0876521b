import { redactor } from './redactor';

/** Kept at most; the oldest are forgotten first. */
const MOST = 2_000;

/** Values of secrets that this process has resolved, to be taken out of everything that it writes. */
export class SecretMask {
  private readonly values = new Set<string>();
  private mask: ((text: string) => string) | undefined;

  add(value: string): void {
    if (this.values.has(value)) return;
    this.values.add(value);
    const [oldest] = this.values;
    if (this.values.size > MOST && oldest !== undefined) this.values.delete(oldest);
    this.mask = undefined;
  }

  /** Plain, base64, hexadecimal, URL- and JSON-escaped forms alike: see redactor. */
  readonly text = (text: string): string => {
    this.mask ??= redactor([...this.values]);
    return this.mask(text);
  };
}
