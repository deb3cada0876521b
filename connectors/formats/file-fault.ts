/** Why one file could not be read, with the place where it is known. Data, not a crash: the other files go on. */
export class FileFault extends Error {
  constructor(
    readonly code: string,
    message: string,
    readonly place: { line?: number; column?: number } = {},
  ) {
    super(message);
    this.name = 'FileFault';
  }
}
