import { partsOf } from './scan/parts';
import { patternsOf } from './scan/patterns';
import { Scanner } from './scan/scanner';

export const MASK = '[masked]';
/**
 * Characters behind the shown part that are read before a text is masked and cut: the longest spelling of a secret that
 * the cut may go through.
 */
export const MASK_MARGIN = 131_072;

/**
 * Removes secrets, and their secret parts, from texts: in every spelling that docs/secrets.md names. All masking
 * uses it, so that one rule holds everywhere.
 */
export class Redactor {
  private readonly scanner = new Scanner();

  constructor(secrets: readonly string[] = []) {
    for (const secret of secrets) this.add(secret);
  }

  add(secret: string): void {
    for (const part of partsOf(secret)) {
      for (const pattern of patternsOf(part)) this.scanner.add(pattern);
    }
  }

  /** The text itself where there is nothing to mask. */
  readonly text = (text: string): string => {
    if (this.scanner.isEmpty) return text;
    const found = this.scanner.find(text);
    if (found.length === 0) return text;
    let masked = '';
    let at = 0;
    for (const { from, to } of found) {
      masked += text.slice(at, from) + MASK;
      at = to;
    }
    return masked + text.slice(at);
  };
}
