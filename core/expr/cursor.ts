/** A position in a text that only moves forward. Counts its moves, so that a test can prove linear time. */
export class Cursor {
  position: number;
  steps = 0;

  constructor(
    readonly text: string,
    start = 0,
  ) {
    this.position = start;
  }

  /** Code unit at the position (plus `ahead`); -1 behind the end. */
  peek(ahead = 0): number {
    const at = this.position + ahead;
    return at < this.text.length ? this.text.charCodeAt(at) : -1;
  }

  /** True when `expected` (a short text) stands here. */
  at(expected: string): boolean {
    return this.text.startsWith(expected, this.position);
  }

  get done(): boolean {
    return this.position >= this.text.length;
  }

  advance(count = 1): void {
    this.position += count;
    this.steps += count;
  }

  takeWhile(test: (unit: number) => boolean): string {
    const start = this.position;
    while (!this.done && test(this.peek())) this.advance();
    return this.text.slice(start, this.position);
  }
}

export function isDigit(unit: number): boolean {
  return unit >= 48 && unit <= 57;
}

/** A letter of ASCII or `_`. */
export function isNameStart(unit: number): boolean {
  return (unit >= 97 && unit <= 122) || (unit >= 65 && unit <= 90) || unit === 95;
}

/** Characters after the first of a word of an expression: letters, digits, `_`. */
export function isWordPart(unit: number): boolean {
  return isNameStart(unit) || isDigit(unit);
}

/** Characters after the first of a reference's name: those of a word, and `-`. */
export function isNamePart(unit: number): boolean {
  return isWordPart(unit) || unit === 45;
}

/** Blank, tab, line feed, carriage return. */
export function isSpace(unit: number): boolean {
  return unit === 32 || unit === 9 || unit === 10 || unit === 13;
}
