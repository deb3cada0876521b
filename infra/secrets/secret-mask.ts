import { Redactor } from './redactor';

/** Kept at most; the oldest are forgotten first. */
const MOST = 2_000;
/** Forgotten at once, so that what finds them is not made anew with each secret that comes. */
const FORGOTTEN = 200;

/** Values of secrets that this process has resolved, to be taken out of everything that it writes. */
export class SecretMask {
  private readonly values = new Set<string>();
  private redactor = new Redactor();

  add(value: string): void {
    if (this.values.has(value)) return;
    this.values.add(value);
    if (this.values.size <= MOST) {
      this.redactor.add(value);
      return;
    }
    for (const oldest of [...this.values].slice(0, FORGOTTEN)) this.values.delete(oldest);
    this.redactor = new Redactor([...this.values]);
  }

  /** Masks every spelling: see Redactor. */
  readonly text = (text: string): string => this.redactor.text(text);
}
