import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import type { DataConverter, PayloadCodec } from '@temporalio/common';
import { loadClientConnectConfig } from '@temporalio/envconfig';
import { FAST_RECONNECT } from '../embedded/temporal-connection';
import type { BlobStore } from '../blob/blob-store';
import type { KeyRing } from '../crypto/key-ring';
import { PayloadOffload } from './payload-offload';
import { PayloadSeal } from './payload-seal';
import { grpcRetry } from './grpc-retry';

export interface TemporalSettings {
  temporalAddress?: string;
  temporalNamespace: string;
  blobThresholdBytes: number;
  /** Off: payloads are written as they are; encrypted ones can still be read. */
  payloadEncryption?: boolean;
}

/** The SDK's standard environment configuration (TLS, API key, profile file), with our address on top. */
export function connectionOptions(
  settings: TemporalSettings,
): ReturnType<typeof loadClientConnectConfig>['connectionOptions'] {
  const { connectionOptions: options } = loadClientConnectConfig();
  return settings.temporalAddress === undefined ? options : { ...options, address: settings.temporalAddress };
}

/** Codecs of payloads. One pair for a process: readers of payloads share it with the client that writes them. */
export interface PayloadParts {
  seal: PayloadSeal;
  offload: PayloadOffload;
}

type PayloadSettings = Pick<TemporalSettings, 'blobThresholdBytes'>;

export function payloadParts(settings: PayloadSettings, blobs: BlobStore, ring: KeyRing): PayloadParts {
  const threshold = settings.blobThresholdBytes;
  return { offload: new PayloadOffload(blobs, threshold), seal: new PayloadSeal(ring, threshold) };
}

/**
 * Sealed first, then offloaded: the blob store, as Temporal, sees ciphertext alone, and what is measured against the
 * threshold is what a history would hold.
 */
export function payloadCodecs(settings: TemporalSettings, { seal, offload }: PayloadParts): PayloadCodec[] {
  return [settings.payloadEncryption === false ? readOnly(seal) : seal, offload];
}

function readOnly(codec: PayloadCodec): PayloadCodec {
  return { encode: (payloads) => Promise.resolve(payloads), decode: (...given) => codec.decode(...given) };
}

/** Path without its ending, which the build changes. Bundles of workflow code use it too. */
export const FAILURE_CONVERTER = join(__dirname, 'failure-converter');
/** Converter for bundles only: everything else reads its results as they are. */
export const WORKFLOW_PAYLOAD_CONVERTER = join(__dirname, 'local-arguments');

export function dataConverter(settings: TemporalSettings, parts: PayloadParts): DataConverter {
  return { payloadCodecs: payloadCodecs(settings, parts), failureConverterPath: FAILURE_CONVERTER };
}

/**
 * Opens a client, also while the server is down: calls fail until it is back. `ending`: aborted before the connection
 * is closed, so that no call is repeated any more.
 */
export function openClient(settings: TemporalSettings, parts: PayloadParts, ending?: AbortSignal): Client {
  const options = { ...connectionOptions(settings), channelArgs: FAST_RECONNECT, interceptors: [grpcRetry(ending)] };
  const connection = Connection.lazy(options);
  return new Client({
    connection,
    namespace: settings.temporalNamespace,
    dataConverter: dataConverter(settings, parts),
  });
}
