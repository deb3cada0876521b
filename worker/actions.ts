import { join, resolve } from 'node:path';
import { createConnectorActions } from '../activities/actions/call-connector.actions';
import { createDataActions } from '../activities/actions/data.actions';
import { createLlmActions } from '../activities/actions/llm.actions';
import { createToolCatalog } from '../activities/actions/llm-tool-catalog';
import type { ActionTable } from '../activities/actions/types';
import type { BlobStore } from '../infra/blob/blob-store';
import type { Config } from '../infra/config/config';
import type { ConnectorDefinition } from '../core/connector/types';
import type { ConnectorRuntime } from '../connectors/runtime/runtime';
import { callAudit } from '../connectors/hooks/audit-log';
import type { ConnectorServices } from '../connectors/call/connector-call';
import { openTransports } from '../connectors/call/open-transports';
import type { FileParserHost } from '../connectors/formats/host/file-parser-host';
import { guardedAccess } from '../connectors/kinds/database/guarded-access';
import { storedDocuments } from '../connectors/kinds/files/sources/stored-documents';
import type { Database } from '../infra/db/database';
import { ConnectorsStore } from '../infra/db/stores/definitions.store';
import { DocumentsStore } from '../infra/db/stores/documents.store';
import { AuditStore } from '../infra/db/stores/identity/audit.store';
import { ModelCallsStore } from '../infra/db/stores/model-calls.store';
import { RunBindingsStore } from '../infra/db/stores/run-bindings.store';
import { createEgress } from '../infra/egress/egress';
import { egressSettings } from '../infra/egress/settings';
import { createModelClient } from '../infra/llm/client';
import { loadPrices } from '../infra/llm/prices';
import { llmSettings } from '../infra/llm/settings';
import { openVault, type Keys } from '../infra/secrets/open-vault';
import { openTokens } from '../connectors/auth/open-tokens';
import { importRootsOf } from '../connectors/kinds/files/sources/import-roots';
import { ImportDirsStore } from '../infra/db/stores/import-dirs.store';

/** The product's own files, beside the sources as well as in the build. */
const CATALOG = resolve(__dirname, '../catalog');

export interface ActionParts {
  config: Config;
  database: Database;
  blobs: BlobStore;
  files: FileParserHost;
  connectorRuntime: ConnectorRuntime;
  keys: Keys;
}

export function workerActions(parts: ActionParts): ActionTable {
  const { config, database, blobs, files, keys, connectorRuntime } = parts;
  const connectors = new ConnectorsStore<ConnectorDefinition>(database);
  const egress = createEgress(egressSettings(config));
  const services: ConnectorServices = {
    transports: openTransports({ egress, runtime: connectorRuntime }),
    tokens: openTokens(database, keys),
    documents: storedDocuments(new DocumentsStore(database), blobs),
    ...importRootsOf(config.importDirs, CATALOG),
    grantedRoots: () => new ImportDirsStore(database).paths(),
    files,
    robotsOverride: config.robotsOverride,
    database: guardedAccess(egress, database),
    // A step carries them out itself.
    readingTools: {},
  };
  const table: ActionTable = {
    ...createDataActions({ database, blobs, exportDir: resolve(config.home, 'exports') }),
    ...createConnectorActions({
      services,
      connectors,
      bindings: new RunBindingsStore(database),
      secrets: openVault(config, database, keys),
      confirmations: connectorRuntime.bindings,
      hooks: { audit: callAudit(new AuditStore(database)) },
      recorder: connectorRuntime.recorder,
      tools: () => table,
    }),
    ...createLlmActions({
      client: createModelClient(llmSettings(config), egress),
      ledger: new ModelCallsStore(database),
      prices: loadPrices(join(CATALOG, 'prices.yaml')),
      toolSpecs: createToolCatalog(connectors),
    }),
  };
  return table;
}
