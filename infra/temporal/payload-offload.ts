import type { Payload, PayloadCodec, SerializationContext } from '@temporalio/common';
import { temporal } from '@temporalio/proto';
import { HISTORY_SCOPE, type BlobStore } from '../blob/blob-store';
import { staysHere } from './local-arguments';

const ENCODING = 'binary/af-blob';
const { Payload: PayloadProto } = temporal.api.common.v1;

/**
 * Claim check: a payload above the threshold goes to the blob store, and the history holds its address. Content-addressed,
 * so the same value that passes through ten steps is stored once.
 */
export class PayloadOffload implements PayloadCodec {
  constructor(
    private readonly blobs: BlobStore,
    private readonly thresholdBytes: number,
  ) {}

  encode(payloads: Payload[], context?: SerializationContext): Promise<Payload[]> {
    return Promise.all(payloads.map((payload) => this.encodeOne(payload, context)));
  }

  decode(payloads: Payload[]): Promise<Payload[]> {
    return Promise.all(payloads.map((payload) => this.decodeOne(payload)));
  }

  private async encodeOne(payload: Payload, context: SerializationContext | undefined): Promise<Payload> {
    if (staysHere(payload, context) || (payload.data?.length ?? 0) <= this.thresholdBytes) return payload;
    const { sha256, size } = await this.blobs.put(HISTORY_SCOPE, PayloadProto.encode(payload).finish());
    return { metadata: { encoding: Buffer.from(ENCODING) }, data: Buffer.from(JSON.stringify({ sha256, size })) };
  }

  private async decodeOne(payload: Payload): Promise<Payload> {
    const encoding = payload.metadata?.['encoding'];
    if (!encoding || !payload.data || Buffer.from(encoding).toString() !== ENCODING) return payload;
    const { sha256 } = JSON.parse(Buffer.from(payload.data).toString()) as { sha256: string };
    return PayloadProto.decode(await this.blobs.get(HISTORY_SCOPE, sha256));
  }
}
