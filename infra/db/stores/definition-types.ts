import type { JsonObject } from '../../../core/base/json';
import type { AuthField } from '../../../core/connector/auth-fields';
import type { Trigger } from '../../../core/playbook/types';
import type { VersionedRow } from '../row-version';

/** Playbooks and connectors are kept alike: a row with a slug, and immutable versions by content hash. */
export interface DefinitionRow extends VersionedRow {
  owner_id: string;
  slug: string;
  name: string;
  description: string | null;
  /** Category of a playbook, type of a connector. */
  kind: string | null;
  origin: 'user' | 'catalog';
  latest_version_id: string;
  created_at: string;
  updated_at: string;
  version_no: number;
  declared_version: string | null;
}

/** Facts of the latest version beside its name, which lists show and filter by. */
export interface ConnectorFacts {
  icon: string | null;
  category: string | null;
  tags: string[];
  requires_auth: boolean;
  auth_fields: AuthField[];
}
export interface PlaybookFacts {
  tags: string[];
  triggers: Trigger[];
  /** Slugs of connectors, or types of them. */
  required_connectors: string[];
}
interface SharedFilters {
  tag?: string;
  category?: string;
}
export interface ConnectorFilters extends SharedFilters {
  type?: string;
  requires_auth?: boolean;
}
export interface PlaybookFilters extends SharedFilters {
  /** One of `required_connectors`. */
  connector?: string;
  /** Type of a trigger. */
  trigger?: string;
}

export type ConnectorRow = DefinitionRow & ConnectorFacts;
export type PlaybookRow = DefinitionRow & PlaybookFacts;

export interface VersionSummary {
  id: string;
  definition_id: string;
  version_no: number;
  declared_version: string | null;
  content_hash: string;
  source_format: 'yaml' | 'json';
  created_at: string;
}

/** `body`: the compiled plan of a playbook, the parsed definition of a connector. */
export interface VersionRow<Body = JsonObject> extends VersionSummary {
  owner_id: string;
  slug: string;
  source: string;
  body: Body;
}

export interface NewDefinition<Body, Facts = never> {
  slug: string;
  name: string;
  description?: string;
  kind?: string;
  declared_version?: string;
  content_hash: string;
  source_format: 'yaml' | 'json';
  source: string;
  body: Body;
  /** Absent: it says nothing of itself. */
  facts?: Facts;
}

export interface SavedDefinition<Body, Facts = object> {
  definition: DefinitionRow & Facts;
  /** The latest version now. */
  version: VersionRow<Body>;
  /** The slug was new. */
  created: boolean;
  /** The content was new; otherwise an earlier version with this content is the latest again. */
  new_version: boolean;
}

/** Versions of connectors that a run has pinned: `ConnectorsStore` has them. A body that is kept was read when it was saved. */
export interface PinnedConnectors {
  version(ownerId: string, versionId: string): Promise<{ body: unknown } | null>;
}
