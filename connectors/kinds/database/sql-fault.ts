/** Fault of a statement, with its place: index of the character in the text as its author wrote it. */
export class SqlFault extends Error {
  constructor(
    message: string,
    readonly at: number,
  ) {
    super(message);
    this.name = 'SqlFault';
  }
}

/** One-based line and column of a character. */
export function placeIn(text: string, at: number): { line: number; column: number } {
  const before = text.slice(0, at).split('\n');
  return { line: before.length, column: (before.at(-1) ?? '').length + 1 };
}
