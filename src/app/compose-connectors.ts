import { randomUUID } from 'node:crypto';
import { catalogDirectory } from '../../infra/catalog/catalog-directory';
import { guardedAccess } from '../../connectors/kinds/database/guarded-access';
import { createFileParserHost } from '../../connectors/formats/host/thread-host';
import { importRootsOf } from '../../connectors/kinds/files/sources/import-roots';
import type { ConnectorServices } from '../../connectors/call/connector-call';
import { openTransports } from '../../connectors/call/open-transports';
import { LiveReads } from '../../connectors/call/live-reads';
import { shippedLimits } from '../../connectors/runtime/limits/shipped-limits';
import { createConnectorRuntime } from '../../connectors/runtime/runtime';
import { storedDocuments } from '../../connectors/kinds/files/sources/stored-documents';
import { readingTools } from '../../connectors/kinds/tools/reading-tools';
import { EndpointTrials } from '../../connectors/trial/endpoint-trials';
import { createEgress } from '../../infra/egress/egress';
import { egressSettings } from '../../infra/egress/settings';
import { createImportHost } from '../../connectors/openapi/import-host';
import { OpenapiImporter } from '../../connectors/openapi/openapi-importer';
import type { BlobStore } from '../../infra/blob/blob-store';
import type { Config } from '../../infra/config/config';
import type { Database } from '../../infra/db/database';
import type { Logger } from '../../infra/log/logger';
import type { SecretVault } from '../../infra/secrets/vault';
import type { Keys } from '../../infra/secrets/open-vault';
import { openTokens } from '../../connectors/auth/open-tokens';
import type { ApiDeps } from './deps';
import type { ApiStores } from './stores';

interface Parts {
  config: Config;
  database: Database;
  stores: Pick<ApiStores, 'documents' | 'importDirs' | 'journal'>;
  keys: Keys;
  blobs: BlobStore;
  log: Logger;
  secrets: SecretVault;
}

interface ConnectorComposition {
  deps: Pick<ApiDeps, 'liveReads' | 'trials' | 'openapi'>;
  release(): Promise<void>;
}

/** Composes the API's own reads of sources: previews of a dry run, trials of endpoints, OpenAPI documents. */
export function composeConnectors({
  config,
  database,
  stores,
  keys,
  blobs,
  log,
  secrets,
}: Parts): ConnectorComposition {
  const egress = createEgress(egressSettings(config));
  const runtime = createConnectorRuntime({
    database,
    worker: `api-${process.pid}-${randomUUID()}`,
    shipped: shippedLimits(catalogDirectory()),
    warn: (facts, text) => log.warn(facts, text),
  });
  const files = createFileParserHost();
  const services: ConnectorServices = {
    transports: openTransports({ egress, runtime }),
    tokens: openTokens(database, keys),
    documents: storedDocuments(stores.documents, blobs),
    ...importRootsOf(config.importDirs, catalogDirectory()),
    grantedRoots: () => stores.importDirs.paths(),
    files,
    robotsOverride: config.robotsOverride,
    database: guardedAccess(egress, database),
    readingTools: readingTools({ journal: stores.journal, timeZone: config.timeZone }),
  };
  const openapi = new OpenapiImporter({ egress, host: createImportHost() });
  return {
    deps: { liveReads: new LiveReads(services, secrets), trials: new EndpointTrials(services, secrets), openapi },
    release: async () => {
      await openapi.close();
      await Promise.all([egress.close(), files.close()]);
      await runtime.close();
    },
  };
}
