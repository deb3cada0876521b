import { openBlobs } from '../../infra/blob/open-blobs';
import { registrationOf, type Config } from '../../infra/config/config';
import type { Database } from '../../infra/db/database';
import { DatabaseProbe } from '../../infra/db/probe';
import type { Logger } from '../../infra/log/logger';
import { openKeys, type Keys } from '../../infra/secrets/open-vault';
import { openClient, payloadParts } from '../../infra/temporal/connection';
import { Deliverer } from '../../infra/temporal/deliverer';
import { Reconciler } from '../../infra/temporal/reconciler';
import { TemporalRunGateway } from '../../infra/temporal/run-gateway';
import { WorkerStarts } from '../../infra/temporal/worker-starts';
import { HeldRuns, Sweeper } from '../../infra/temporal/sweeper';
import { createSecurity } from '../secrets/create-security';
import type { ApiDeps } from './deps';
import { composeConnectors } from './compose-connectors';
import { seedCatalog } from './seed-catalog';
import { openStores, type ApiStores } from './stores';
import { modelFacts } from '../../infra/llm/settings';

export interface Composition {
  deps: ApiDeps;
  /** Closes the connections, after the application has closed. */
  release(): Promise<void>;
}

const MB = 1024 * 1024;

/** Builds the application from its configuration. Temporal may be away: calls fail until it is back. */
export function compose(config: Config, database: Database, log: Logger, keys: Keys = openKeys(config)): Composition {
  const blobs = openBlobs(config, database);
  const payloads = payloadParts(config, blobs, keys.ring);
  const ending = new AbortController();
  const client = openClient(
    {
      temporalNamespace: config.temporalNamespace,
      blobThresholdBytes: config.blobThresholdBytes,
      payloadEncryption: config.payloadEncryption,
      ...(config.temporalAddress === undefined ? {} : { temporalAddress: config.temporalAddress }),
    },
    payloads,
    ending.signal,
  );
  const probe = new DatabaseProbe(database.config.url);
  const stores = openStores(database);
  const { openRuns: runs, decisions, transitions } = stores;
  const gateway = openGateway(config, { stores, client, log });
  const security = createSecurity({ config, database, stores, payloads, keys });
  const connectors = composeConnectors({ config, database, stores, keys, blobs, log, secrets: security.vault });
  const loops = [
    new Sweeper({ runs, gateway, log, seconds: config.sweepSeconds }),
    new HeldRuns({ runs, gateway, log, cap: config.ownerRunningCap }),
    new Reconciler({ client, runs, transitions, gateway, log, seconds: config.reconcileSeconds }),
    new Deliverer({ decisions, gateway, log, seconds: config.deliverSeconds }),
  ];
  return {
    deps: {
      settings: settingsOf(config),
      database,
      stores,
      probe,
      blobs,
      security,
      welcome: (ownerId) => seedCatalog(stores, ownerId),
      gateway,
      ...connectors.deps,
      loops,
      log,
    },
    release: async () => {
      ending.abort();
      await Promise.all(loops.map((loop) => loop.stop()));
      await gateway.close();
      await connectors.release();
      await probe.close();
      await database.close();
    },
  };
}

type GatewayDeps = ConstructorParameters<typeof TemporalRunGateway>[0];

function openGateway(
  config: Config,
  { stores, ...parts }: { stores: ApiStores } & Pick<GatewayDeps, 'client' | 'log'>,
): TemporalRunGateway {
  return new TemporalRunGateway({
    ...parts,
    runs: stores.openRuns,
    decisions: stores.decisions,
    playbooks: stores.playbooks,
    connectors: stores.connectors,
    approvals: stores.approvals,
    retries: stores.runRetry,
    settings: {
      queuePrefix: config.queuePrefix,
      heartbeatTimeoutMs: config.heartbeatTimeoutSeconds * 1000,
      continueAsNewEvents: config.continueAsNewEvents,
    },
    ...(config.startSocket === undefined ? {} : { starts: new WorkerStarts(config.startSocket) }),
    ...(config.temporalUiUrl === undefined ? {} : { uiUrl: config.temporalUiUrl }),
  });
}

function settingsOf(config: Config): ApiDeps['settings'] {
  return {
    allowedHosts: config.allowedHosts,
    maxUploadBytes: config.maxUploadMb * MB,
    writesPerSecond: config.writesPerSecond,
    timeZone: config.timeZone,
    models: modelFacts(config),
    importDirs: config.importDirs,
    registration: registrationOf(config),
    signalApprovals: config.signalApprovals,
    ...(config.temporalUiUrl === undefined ? {} : { temporalUiOrigin: new URL(config.temporalUiUrl).origin }),
  };
}
