import type { Duplex } from 'node:stream';

/**
 * Bytes that a server may send beside rows: settings, notices, descriptions, answers to our own questions. PostgreSQL
 * sends some kilobytes.
 */
const BESIDE_ROWS = 1_048_576;

/** A server that sends more than any answer of it may be. */
export class WireLimitError extends Error {
  constructor(readonly limit: number) {
    super(`more than ${limit} bytes`);
  }
}

/**
 * Counts what arrives on a connection from its first byte on, before the driver makes anything of it, and cuts the connection at the
 * limit: the driver itself keeps a message until its end, however long that is announced to be.
 */
export class WireMeter {
  private bytes = 0;
  private limit = BESIDE_ROWS;
  /** Reason why the connection was cut. */
  flood: WireLimitError | undefined;

  /** Counts the bytes of a stream; with TLS the driver reads another one, which is counted, too. */
  watch(stream: Duplex): void {
    stream.on('data', (chunk: Uint8Array) => this.arrived(chunk.byteLength, stream));
  }

  /** Rows come now, and may take so much together. */
  allow(bytes: number): void {
    this.limit = this.bytes + bytes + BESIDE_ROWS;
  }

  private arrived(bytes: number, stream: Duplex): void {
    this.bytes += bytes;
    if (this.bytes <= this.limit || this.flood !== undefined) return;
    this.flood = new WireLimitError(this.limit);
    stream.destroy(this.flood);
  }
}
