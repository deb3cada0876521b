import { Client, Connection } from '@temporalio/client';
import type { DataConverter, PayloadCodec } from '@temporalio/common';
import { loadClientConnectConfig } from '@temporalio/envconfig';
import { IMPATIENT_CHANNEL } from '../embedded/temporal-connection';
import type { BlobStore } from '../blob/blob-store';
import type { KeyRing } from '../crypto/key-ring';
import { PayloadOffload } from './payload-offload';
import { PayloadSeal } from './payload-seal';

export interface TemporalSettings {
  temporalAddress?: string;
  temporalNamespace: string;
  blobThresholdBytes: number;
  /** Off: payloads are written as they are; sealed ones are read all the same. */
  payloadEncryption?: boolean;
}

/** The SDK's standard environment configuration (TLS, API key, profile file), with our address on top. */
export function connectionOptions(
  settings: TemporalSettings,
): ReturnType<typeof loadClientConnectConfig>['connectionOptions'] {
  const { connectionOptions: options } = loadClientConnectConfig();
  return settings.temporalAddress === undefined ? options : { ...options, address: settings.temporalAddress };
}

/**
 * Sealed first, then offloaded: the blob store, as Temporal, sees ciphertext alone, and what is measured against the
 * threshold is what a history would hold. Without keys nothing is sealed, and nothing sealed can be read.
 */
export function payloadCodecs(settings: TemporalSettings, blobs: BlobStore, ring?: KeyRing): PayloadCodec[] {
  const offload = new PayloadOffload(blobs, settings.blobThresholdBytes);
  if (ring === undefined) return [offload];
  const seal = new PayloadSeal(ring, settings.blobThresholdBytes);
  return [settings.payloadEncryption === false ? readOnly(seal) : seal, offload];
}

function readOnly(codec: PayloadCodec): PayloadCodec {
  return { encode: (payloads) => Promise.resolve(payloads), decode: (...given) => codec.decode(...given) };
}

export function dataConverter(settings: TemporalSettings, blobs: BlobStore, ring?: KeyRing): DataConverter {
  return { payloadCodecs: payloadCodecs(settings, blobs, ring) };
}

/** Does not fail when the server is away: calls do, until it is back. */
export function openClient(settings: TemporalSettings, blobs: BlobStore, ring?: KeyRing): Client {
  const connection = Connection.lazy({ ...connectionOptions(settings), channelArgs: IMPATIENT_CHANNEL });
  return new Client({
    connection,
    namespace: settings.temporalNamespace,
    dataConverter: dataConverter(settings, blobs, ring),
  });
}
