import { pipeline, Transform } from 'node:stream';
import type { Duplex, Readable, TransformCallback } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { shorten } from '../../core/base/shorten';
import type { WireAnswer } from './answer-handler';
import { asError } from './deadline';
import { badResponse, toEgressError, tooLarge } from './failure';

/** Encodings that every request accepts. */
export const ACCEPTED_ENCODINGS = 'gzip, br';
const CHUNK_BYTES = 64 * 1024;
const DECODERS: Record<string, () => Duplex> = {
  gzip: () => createGunzip({ chunkSize: CHUNK_BYTES }),
  'x-gzip': () => createGunzip({ chunkSize: CHUNK_BYTES }),
  deflate: () => createInflate({ chunkSize: CHUNK_BYTES }),
  br: () => createBrotliDecompress({ chunkSize: CHUNK_BYTES }),
};

interface Decoding {
  host: string;
  maxBytes: number;
  /** Gives the reason of the end, after the deadline. */
  reasonOf: (failure: unknown) => unknown;
}

/**
 * The decompressed body. Its decompressed size counts against the cap as well: a small answer may grow without end.
 * One layer at most: no honest server compresses twice.
 */
export function decoded(answer: WireAnswer, method: string, decoding: Decoding): Readable {
  const coding = (answer.headers['content-encoding'] ?? '').trim().toLowerCase();
  if (coding === '' || coding === 'identity' || !hasBody(answer, method)) {
    return answer.body;
  }
  const decoder = Object.hasOwn(DECODERS, coding) ? DECODERS[coding] : undefined;
  if (decoder === undefined) {
    answer.body.destroy();
    throw badResponse(`${decoding.host} sent an answer in an encoding that nobody asked for (${shorten(coding, 40)}).`);
  }
  const meter = new Meter(decoding);
  // Every failure fails the meter, too, which reports it to the reader.
  pipeline(answer.body, decoder(), meter, () => undefined);
  return meter;
}

function hasBody({ status, headers }: WireAnswer, method: string): boolean {
  return method !== 'HEAD' && status !== 204 && status !== 304 && headers['content-length'] !== '0';
}

class Meter extends Transform {
  private bytes = 0;

  constructor(private readonly decoding: Decoding) {
    super({ highWaterMark: CHUNK_BYTES });
    this.on('error', () => undefined);
  }

  override _transform(chunk: Buffer, _encoding: string, done: TransformCallback): void {
    this.bytes += chunk.byteLength;
    if (this.bytes > this.decoding.maxBytes) {
      done(tooLarge(this.decoding.host, this.decoding.maxBytes));
    } else {
      done(null, chunk);
    }
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    const { host, reasonOf } = this.decoding;
    done(error === null ? null : asError(reasonOf(toEgressError(error, { host, sent: true }))));
  }
}
