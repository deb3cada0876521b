/** Reason why one file could not be read, with the place if it is known. The other files are still read. */
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
