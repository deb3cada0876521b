import { randomUUID } from 'node:crypto';
import { catalogDirectory } from '../../infra/catalog/catalog-directory';
import { guardedAccess } from '../../connectors/kinds/database/guarded-access';
import { createFileParserHost } from '../../connectors/formats/host/thread-host';
import { importRootsOf } from '../../connectors/kinds/files/sources/import-roots';
import { ImportDirsStore } from '../../infra/db/stores/import-dirs.store';
import { LiveReads } from '../../connectors/call/live-reads';
import { shippedLimits } from '../../connectors/runtime/limits/shipped-limits';
import { createConnectorRuntime } from '../../connectors/runtime/runtime';
import { waitlessAsker, waitlessExchanger } from '../../connectors/runtime/waitless-transport';
import { storedDocuments } from '../../connectors/kinds/files/sources/stored-documents';
import { readingTools } from '../../connectors/kinds/tools/reading-tools';
import { EndpointTrials } from '../../connectors/trial/endpoint-trials';
import { DocumentsStore } from '../../infra/db/stores/documents.store';
import { JournalStore } from '../../infra/db/stores/journal.store';
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

interface Parts {
  config: Config;
  database: Database;
  keys: Keys;
  blobs: BlobStore;
  log: Logger;
  secrets: SecretVault;
}

interface ConnectorComposition {
  deps: Pick<ApiDeps, 'liveReads' | 'trials' | 'openapi'>;
  release(): Promise<void>;
}

/** What the API itself reads of sources: previews of a dry run, trials of endpoints, OpenAPI documents. */
export function composeConnectors({ config, database, keys, blobs, log, secrets }: Parts): ConnectorComposition {
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
    secrets,
    tokens: openTokens(database, keys),
    files: createFileParserHost(),
  };
  const liveReads = new LiveReads(calls);
  const openapi = new OpenapiImporter({ egress, host: createImportHost() });
  const trials = new EndpointTrials({
    ...calls,
    documents: storedDocuments(new DocumentsStore(database), blobs),
    ...importRootsOf(config.importDirs, catalogDirectory()),
    grantedRoots: () => new ImportDirsStore(database).paths(),
    robotsOverride: config.robotsOverride,
    readingTools: readingTools({ journal: new JournalStore(database), timeZone: config.timeZone }),
  });
  return {
    deps: { liveReads, trials, openapi },
    release: async () => {
      await openapi.close();
      await liveReads.close();
      await runtime.close();
    },
  };
}
