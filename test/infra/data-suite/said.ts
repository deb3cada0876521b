import { expect } from '@jest/globals';
import { asWritten } from './python-text';

/** Facts that the description of a file says a correct reader finds. Each part is compared with our result. */
export class Said {
  /** Parts that were compared. */
  compared = 0;
  private rest: string;

  constructor(private readonly text: string) {
    this.rest = text;
  }

  /** The groups of a part; fails when the description has no such part. */
  take(part: RegExp): string[] {
    const groups = this.takeIfSaid(part);
    if (groups === undefined) {
      throw new Error(`The description does not say ${part.source}, or says it once only. It says: ${this.text}`);
    }
    return groups;
  }

  takeIfSaid(part: RegExp): string[] | undefined {
    const match = part.exec(this.rest);
    if (match === null) {
      return undefined;
    }
    this.rest = `${this.rest.slice(0, match.index)};${this.rest.slice(match.index + match[0].length)}`;
    this.compared += 1;
    return match.slice(1).map((group) => group ?? '');
  }

  /** The groups of a part are what was found, in this order. */
  same(part: RegExp, ...found: unknown[]): void {
    const said = this.take(part).map(asWritten);
    expect({ [part.source]: found.map(asWritten) }).toEqual({ [part.source]: said });
  }

  /** A part that is said exactly when it is true. */
  sameFlag(part: RegExp, found: boolean): void {
    expect({ [part.source]: found }).toEqual({ [part.source]: this.takeIfSaid(part) !== undefined });
  }

  /** Part that was not compared. */
  left(): string {
    return this.rest.replace(/^[\s;:,.()]+|[\s;:,.()]+$/g, '').replace(/([\s;:,.]*;[\s;:,.]*)+/g, '; ');
  }
}
