import { createHmac, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import { constants, deflateRaw, deflateRawSync, inflateRaw, inflateRawSync } from 'node:zlib';
import type { Payload, PayloadCodec, SerializationContext } from '@temporalio/common';
import { temporal } from '@temporalio/proto';
import { AppError } from '../../core/errors/app-error';
import { decrypt, encrypt, randomNonce } from '../crypto/envelope';
import type { KeyRing } from '../crypto/key-ring';
import { staysHere } from './local-arguments';
import { RunKeys } from './run-keys';

const SEALED = 'binary/af-sealed';
const ZIP = 'deflate';
const RUN_PREFIX = 'run-';
/** Size below which compression costs more than the bytes that it saves. */
const COMPRESS_FROM = 2 * 1024;
/** Size above which it is done on Node's thread pool. */
const ASYNC_FROM = 64 * 1024;
/** A sealed payload is never larger than this when it is unfolded: the server takes 2 MB, offloaded ones the blob store. */
const MOST_UNFOLDED = 256 * 1024 * 1024;
const NONCE_BYTES = 12;
const FAST = { level: constants.Z_BEST_SPEED };
/**
 * Settings with less memory: by default zlib takes a third of a megabyte for each of these small texts, which the
 * system gives and takes back.
 */
const FAST_AND_SMALL = { ...FAST, windowBits: 14, memLevel: 7, chunkSize: 8 * 1024 };

const deflateOnPool = promisify<Uint8Array, object, Buffer>(deflateRaw);
const inflateOnPool = promisify<Uint8Array, object, Buffer>(inflateRaw);
const { Payload: PayloadProto } = temporal.api.common.v1;

/**
 * Compresses and encrypts payloads (AES-256-GCM), so that Temporal holds ciphertext alone. A payload is bound to its run:
 * the key is derived for the run, and the workflow id is associated data. (The SDK's context names the workflow and not
 * the owner; a run has one owner for life, and every activity compares the two.) The metadata say which key, which run and
 * whether it is compressed, for the codec endpoint, which gets no context; both are authenticated.
 *
 * What is not sealed passes through: payloads from before, and signals sent with Temporal's own tools. So does what never leaves
 * the process.
 */
export class PayloadSeal implements PayloadCodec {
  private readonly keys: RunKeys;

  /**
   * `sameFrom`: from this size on equal content of one run gives equal ciphertext, so that the blob store keeps it once.
   */
  constructor(
    private readonly ring: KeyRing,
    private readonly sameFrom: number,
  ) {
    this.keys = new RunKeys(ring);
  }

  encode(payloads: Payload[], context?: SerializationContext): Promise<Payload[]> {
    return Promise.all(payloads.map((payload) => this.sealOne(payload, context)));
  }

  decode(payloads: Payload[], context?: SerializationContext): Promise<Payload[]> {
    return Promise.all(payloads.map((payload) => this.openOne(payload, context?.workflowId)));
  }

  private async sealOne(payload: Payload, context: SerializationContext | undefined): Promise<Payload> {
    if (staysHere(payload, context)) return payload;
    const run = context?.workflowId ?? '';
    const plain = PayloadProto.encode(payload).finish();
    const packed = await compress(plain);
    const keyId = this.ring.current;
    const { key, nonceKey, about } = this.keys.of(keyId, run);
    const content = packed ?? plain;
    const zip = packed === undefined ? '' : ZIP;
    const nonce = content.length < this.sameFrom ? randomNonce() : syntheticNonce(nonceKey(), content);
    const data = encrypt(key, content, about(zip), nonce);
    return { metadata: metadataOf({ keyId, run, zip }), data };
  }

  private async openOne(payload: Payload, workflowId: string | undefined): Promise<Payload> {
    if (!isSealed(payload)) return payload;
    const run = textOf(payload, 'run');
    if (workflowId !== undefined && run !== '' && run !== workflowId) {
      throw new AppError('payload_of_another_run', 'A payload was sealed for another run than the one that reads it.', {
        category: 'internal',
      });
    }
    const keyId = textOf(payload, 'key');
    const zip = textOf(payload, 'zip');
    const { key, about } = this.keys.of(keyId, run);
    const content = decrypt(key, payload.data ?? new Uint8Array(), about(zip));
    return PayloadProto.decode(zip === ZIP ? await decompress(content) : content);
  }
}

export function isSealed(payload: Payload): boolean {
  return textOf(payload, 'encoding') === SEALED;
}

/** Id of the run that a payload was sealed for; undefined where it was not, or for no run. */
export function runOfPayload(payload: Payload): string | undefined {
  const run = isSealed(payload) ? textOf(payload, 'run') : '';
  return run.startsWith(RUN_PREFIX) ? run.slice(RUN_PREFIX.length) : undefined;
}

function textOf(payload: Payload, name: string): string {
  const bytes = payload.metadata?.[name];
  return bytes === undefined || bytes === null ? '' : UTF8.decode(bytes);
}

function metadataOf(about: { keyId: string; run: string; zip: string }): Record<string, Uint8Array> {
  return {
    encoding: ENCODING,
    key: Buffer.from(about.keyId),
    ...(about.run === '' ? {} : { run: Buffer.from(about.run) }),
    ...(about.zip === '' ? {} : { zip: Buffer.from(about.zip) }),
  };
}

const ENCODING = Buffer.from(SEALED);
const UTF8 = new TextDecoder();

/** Another content, another nonce: what equal nonces give away is that two contents are equal, and nothing else. */
function syntheticNonce(key: KeyObject, content: Uint8Array): Buffer {
  return createHmac('sha256', key).update(content).digest().subarray(0, NONCE_BYTES);
}

/** Undefined where it does not pay. */
async function compress(bytes: Uint8Array): Promise<Uint8Array | undefined> {
  if (bytes.length < COMPRESS_FROM) return undefined;
  const packed = bytes.length < ASYNC_FROM ? deflateRawSync(bytes, FAST_AND_SMALL) : await deflateOnPool(bytes, FAST);
  return packed.length < bytes.length ? packed : undefined;
}

async function decompress(bytes: Uint8Array): Promise<Uint8Array> {
  const options = { maxOutputLength: MOST_UNFOLDED };
  return bytes.length < ASYNC_FROM ? inflateRawSync(bytes, options) : inflateOnPool(bytes, options);
}
