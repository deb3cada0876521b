import { Client, Connection } from '@temporalio/client';
import type { DataConverter } from '@temporalio/common';
import { loadClientConnectConfig } from '@temporalio/envconfig';
import { IMPATIENT_CHANNEL } from '../embedded/temporal-connection';
import type { BlobStore } from '../blob/blob-store';
import { PayloadOffload } from './payload-offload';

export interface TemporalSettings {
  temporalAddress?: string;
  temporalNamespace: string;
  blobThresholdBytes: number;
}

/** The SDK's standard environment configuration (TLS, API key, profile file), with our address on top. */
export function connectionOptions(
  settings: TemporalSettings,
): ReturnType<typeof loadClientConnectConfig>['connectionOptions'] {
  const { connectionOptions: options } = loadClientConnectConfig();
  return settings.temporalAddress === undefined ? options : { ...options, address: settings.temporalAddress };
}

export function dataConverter(settings: TemporalSettings, blobs: BlobStore): DataConverter {
  return { payloadCodecs: [new PayloadOffload(blobs, settings.blobThresholdBytes)] };
}

/** Does not fail when the server is away: calls do, until it is back. */
export function openClient(settings: TemporalSettings, blobs: BlobStore): Client {
  const connection = Connection.lazy({ ...connectionOptions(settings), channelArgs: IMPATIENT_CHANNEL });
  return new Client({
    connection,
    namespace: settings.temporalNamespace,
    dataConverter: dataConverter(settings, blobs),
  });
}
