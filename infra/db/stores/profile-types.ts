import type { Json, JsonObject } from '../../../core/base/json';

export interface ProfileRow {
  id: string;
  owner_id: string;
  handle: string;
  name: string;
  description: string | null;
  icon: string | null;
  is_active: boolean;
  model_preference: string | null;
  max_research_rounds: number;
  system_prompt_additions: string | null;
  knowledge_config: JsonObject;
  output_config: JsonObject;
  journal_config: JsonObject;
  default_execution_mode: string;
  default_run_context: string;
  default_approval_policy: string;
  row_version: number;
  created_at: string;
  updated_at: string;
}

/** Fields that its owner writes. A field that is left out: as it was, or the default of a new one. */
export type ProfileFields = Partial<
  Omit<ProfileRow, 'id' | 'owner_id' | 'row_version' | 'created_at' | 'updated_at' | 'handle' | 'name'>
>;
export type NewProfile = ProfileFields & { handle: string; name: string };

export interface ConnectorBindingRow {
  id: string;
  connector_id: string;
  connector_slug: string;
  connector_name: string;
  connection_id: string | null;
  /** Auth field → `{secret: name}`. */
  credentials: JsonObject;
  config_overrides: JsonObject;
  permissions: JsonObject;
  is_enabled: boolean;
  row_version: number;
  created_at: string;
  updated_at: string;
}
export type ConnectorBindingFields = Partial<
  Pick<ConnectorBindingRow, 'connection_id' | 'credentials' | 'config_overrides' | 'permissions' | 'is_enabled'>
>;

export interface SkillRow {
  id: string;
  skill_type: 'built_in' | 'playbook';
  skill_name: string | null;
  playbook_id: string | null;
  playbook_slug: string | null;
  playbook_name: string | null;
  priority: number;
  parameters: JsonObject;
  is_enabled: boolean;
  row_version: number;
  created_at: string;
  updated_at: string;
}
export type SkillFields = Partial<Pick<SkillRow, 'priority' | 'parameters' | 'is_enabled'>>;

export type JournalVisibility = 'own_only' | 'own_and_scheduled' | 'full';

export interface ShareRow {
  id: string;
  profile_id: string;
  owner_id: string;
  team_id: string;
  team_name: string;
  team_file_access: boolean;
  team_post_access: boolean;
  journal_visibility: JournalVisibility;
  is_active: boolean;
  row_version: number;
  created_at: string;
  updated_at: string;
}
export type ShareFields = Partial<
  Pick<ShareRow, 'team_file_access' | 'team_post_access' | 'journal_visibility' | 'is_active'>
>;

/** Profile that a person may call by its handle. */
export interface AvailableAgent {
  agent_profile_id: string;
  handle: string;
  name: string;
  icon: string | null;
  owner_id: string;
  team_id: string | null;
  team_name: string | null;
}

export interface TeamAgentRow {
  id: string;
  agent_profile_id: string;
  handle: string;
  name: string;
  description: string | null;
  icon: string | null;
  is_active: boolean;
  owner_id: string;
  owner_name: string | null;
  team_file_access: boolean;
  team_post_access: boolean;
  journal_visibility: JournalVisibility;
  created_at: string;
}

export type TeamRole = 'owner' | 'admin' | 'member' | 'viewer';

export interface TeamRow {
  id: string;
  name: string;
  description: string | null;
  /** The caller's. */
  role: TeamRole;
  row_version: number;
  created_at: string;
  updated_at: string;
}

export interface TeamMemberRow {
  /** The user's. */
  id: string;
  handle: string;
  display_name: string;
  role: TeamRole;
  row_version: number;
  created_at: string;
}

export interface DiscoveryRow {
  id: string;
  run_id: string;
  profile_id: string | null;
  discovery_type: string;
  entity_name: string | null;
  entity_type: string | null;
  entity_id: string | null;
  relationship_type: string | null;
  related_entity_name: string | null;
  source_connector: string | null;
  source_endpoint: string | null;
  confidence: number | null;
  details: JsonObject;
  created_at: string;
}

export interface PluginRow {
  id: string;
  name: string;
  version: string;
  description: string | null;
  connection_type: string;
  required_config: Json[];
  tool_contracts: Json[];
  tool_pack_name: string;
  is_builtin: boolean;
  is_enabled: boolean;
  /** The caller has set it up. */
  configured: boolean;
}
