import { join, resolve } from 'node:path';
import { createConnectorActions } from '../activities/actions/call-connector.actions';
import { createDataActions } from '../activities/actions/data.actions';
import type { WorkerStores } from '../activities/stores';
import { createLlmActions } from '../activities/actions/llm.actions';
import { createToolCatalog } from '../activities/actions/llm-tool-catalog';
import type { ActionTable } from '../activities/actions/types';
import type { BlobStore } from '../infra/blob/blob-store';
import type { Config } from '../infra/config/config';
import type { ConnectorRuntime } from '../connectors/runtime/runtime';
import { callAudit } from '../connectors/hooks/audit-log';
import type { ConnectorServices } from '../connectors/call/connector-call';
import { openTransports } from '../connectors/call/open-transports';
import type { FileParserHost } from '../connectors/formats/host/file-parser-host';
import { guardedAccess } from '../connectors/kinds/database/guarded-access';
import { storedDocuments } from '../connectors/kinds/files/sources/stored-documents';
import type { Database } from '../infra/db/database';
import { createEgress } from '../infra/egress/egress';
import { egressSettings } from '../infra/egress/settings';
import { createModelClient } from '../infra/llm/client';
import { loadPrices } from '../infra/llm/prices';
import { llmSettings } from '../infra/llm/settings';
import { openVault, type Keys } from '../infra/secrets/open-vault';
import { openTokens } from '../connectors/auth/open-tokens';
import { importRootsOf } from '../connectors/kinds/files/sources/import-roots';

/** The product's own files, beside the sources as well as in the build. */
const CATALOG = resolve(__dirname, '../catalog');

export interface ActionParts {
  config: Config;
  database: Database;
  stores: WorkerStores;
  blobs: BlobStore;
  files: FileParserHost;
  connectorRuntime: ConnectorRuntime;
  keys: Keys;
}

export function workerActions(parts: ActionParts): ActionTable {
  const { config, database, stores, blobs, files, keys, connectorRuntime } = parts;
  const { connectors } = stores;
  const egress = createEgress(egressSettings(config));
  const services: ConnectorServices = {
    transports: openTransports({ egress, runtime: connectorRuntime }),
    tokens: openTokens(database, keys),
    documents: storedDocuments(stores.documents, blobs),
    ...importRootsOf(config.importDirs, CATALOG),
    grantedRoots: () => stores.importDirs.paths(),
    files,
    robotsOverride: config.robotsOverride,
    database: guardedAccess(egress, database),
    // A step carries them out itself.
    readingTools: {},
  };
  const table: ActionTable = {
    ...createDataActions({ stores, blobs, exportDir: resolve(config.home, 'exports') }),
    ...createConnectorActions({
      services,
      connectors,
      bindings: stores.runBindings,
      secrets: openVault(config, database, keys),
      confirmations: connectorRuntime.bindings,
      hooks: { audit: callAudit(stores.audit) },
      recorder: connectorRuntime.recorder,
      tools: () => table,
    }),
    ...createLlmActions({
      client: createModelClient(llmSettings(config), egress),
      ledger: stores.modelCalls,
      prices: loadPrices(join(CATALOG, 'prices.yaml')),
      toolSpecs: createToolCatalog(connectors),
    }),
  };
  return table;
}
