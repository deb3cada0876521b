import { randomUUID } from 'node:crypto';
import { ConnectorsStore, PlaybooksStore } from '../../infra/db/stores/definitions.store';
import { openBlobs } from '../../infra/blob/open-blobs';
import { registrationOf, type Config } from '../../infra/config/config';
import { catalogDirectory } from '../../infra/catalog/catalog-directory';
import { guardedAccess } from '../../infra/connectors/database/guarded-access';
import { createFileParserHost } from '../../infra/connectors/files/thread-host';
import { importRootsOf } from '../../infra/connectors/import-roots';
import { ImportDirsStore } from '../../infra/db/stores/import-dirs.store';
import { LiveReads } from '../../infra/connectors/live-reads';
import { shippedLimits } from '../../infra/catalog/shipped-limits';
import { createConnectorRuntime } from '../../infra/connectors/runtime/runtime';
import { waitlessAsker, waitlessExchanger } from '../../infra/connectors/runtime/waitless-exchanger';
import { storedDocuments } from '../../infra/connectors/stored-documents';
import { readingTools } from '../../infra/connectors/tools/reading-tools';
import { EndpointTrials } from '../../infra/connectors/trial/endpoint-trials';
import { Database } from '../../infra/db/database';
import { ApprovalsStore } from '../../infra/db/stores/approvals.store';
import { DatabaseProbe } from '../../infra/db/probe';
import { DecisionsStore } from '../../infra/db/stores/decisions.store';
import { DocumentsStore } from '../../infra/db/stores/documents.store';
import { JournalStore } from '../../infra/db/stores/journal.store';
import { OpenRunsStore } from '../../infra/db/stores/open-runs.store';
import { RunRetryStore } from '../../infra/db/stores/run-retry.store';
import { StepsStore } from '../../infra/db/stores/steps.store';
import { TransitionsStore } from '../../infra/db/stores/transitions.store';
import { createEgress } from '../../infra/egress/egress';
import { egressSettings } from '../../infra/egress/settings';
import type { Logger } from '../../infra/log/logger';
import { createImportHost } from '../../infra/openapi/import-host';
import { OpenapiImporter } from '../../infra/openapi/openapi-importer';
import { openKeys, openTokens, type Keys } from '../../infra/secrets/open-vault';
import { openClient, payloadParts } from '../../infra/temporal/connection';
import { Deliverer } from '../../infra/temporal/deliverer';
import { Reconciler } from '../../infra/temporal/reconciler';
import { TemporalRunGateway } from '../../infra/temporal/run-gateway';
import { HeldRuns, Sweeper } from '../../infra/temporal/sweeper';
import { createSecurity } from '../secrets/create-security';
import type { ApiDeps } from './deps';
import { seedCatalog } from './seed-catalog';
import { modelFacts } from '../../infra/llm/settings';

export interface Composition {
  deps: ApiDeps;
  /** Closes the connections, after the application has closed. */
  release(): Promise<void>;
}

const MB = 1024 * 1024;

/** Puts the application together from its configuration. Temporal need not be there: calls fail until it is. */
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
  const runs = new OpenRunsStore(database);
  const decisions = new DecisionsStore(database);
  const gateway = new TemporalRunGateway({
    client,
    runs,
    playbooks: new PlaybooksStore(database),
    connectors: new ConnectorsStore(database),
    decisions,
    approvals: new ApprovalsStore(database),
    retries: new RunRetryStore(database, new StepsStore(database)),
    settings: {
      queuePrefix: config.queuePrefix,
      heartbeatTimeoutMs: config.heartbeatTimeoutSeconds * 1000,
      continueAsNewEvents: config.continueAsNewEvents,
    },
    log,
    ...(config.temporalUiUrl === undefined ? {} : { uiUrl: config.temporalUiUrl }),
  });
  const security = createSecurity({ config, database, payloads, keys });
  const egress = createEgress(egressSettings(config));
  const runtime = createConnectorRuntime({
    database,
    worker: `api-${process.pid}-${randomUUID()}`,
    shipped: shippedLimits(catalogDirectory()),
    warn: (facts, text) => log.warn(facts, text),
  });
  const calls = {
    egress,
    database: guardedAccess(egress, database),
    exchange: waitlessExchanger({ egress, runtime }),
    ask: waitlessAsker(runtime),
    secrets: security.vault,
    tokens: openTokens(database, keys),
    files: createFileParserHost(),
  };
  const liveReads = new LiveReads(calls);
  const openapi = new OpenapiImporter({ egress: calls.egress, host: createImportHost() });
  const trials = new EndpointTrials({
    ...calls,
    documents: storedDocuments(new DocumentsStore(database), blobs),
    ...importRootsOf(config.importDirs, catalogDirectory()),
    grantedRoots: () => new ImportDirsStore(database).paths(),
    robotsOverride: config.robotsOverride,
    readingTools: readingTools({ journal: new JournalStore(database), timeZone: config.timeZone }),
  });
  const transitions = new TransitionsStore(database);
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
      probe,
      blobs,
      security,
      welcome: (ownerId) => seedCatalog(database, ownerId),
      gateway,
      liveReads,
      trials,
      openapi,
      loops,
      log,
    },
    release: async () => {
      ending.abort();
      await Promise.all(loops.map((loop) => loop.stop()));
      await gateway.close();
      await openapi.close();
      await liveReads.close();
      await probe.close();
      await runtime.close();
      await database.close();
    },
  };
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
