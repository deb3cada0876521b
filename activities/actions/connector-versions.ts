import type { ConnectorDefinition } from '../../core/connector/types';

/** The pinned version of a connector by its id: what `ConnectorsStore.version` gives. */
export interface ConnectorVersions {
  version(ownerId: string, versionId: string): Promise<{ body: ConnectorDefinition } | null>;
}
