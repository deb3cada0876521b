import type {
  AvailableAgent,
  ConnectorBindingRow,
  ProfileRow,
  ShareRow,
  SkillRow,
} from '../../infra/db/stores/profile-types';
import { withoutNulls } from '../shared/views';
import type { ConnectorBindingDto, SkillDto } from './dto/binding.dto';
import type { ProfileDto } from './dto/profile.dto';
import type { AvailableAgentDto, ShareDto } from './dto/share.dto';

/** Profile as the caller sees it: its set-up is the owner's alone. */
export function profileView(row: ProfileRow, callerId: string): ProfileDto {
  const own = row.owner_id === callerId;
  const setUp = {
    system_prompt_additions: row.system_prompt_additions,
    knowledge_config: row.knowledge_config,
    output_config: row.output_config,
    journal_config: row.journal_config,
  };
  return {
    id: row.id,
    owner_id: row.owner_id,
    owner: own ? 'user' : 'team',
    handle: row.handle,
    name: row.name,
    is_active: row.is_active,
    max_research_rounds: row.max_research_rounds,
    default_execution_mode: row.default_execution_mode,
    default_run_context: row.default_run_context,
    default_approval_policy: row.default_approval_policy,
    created_at: row.created_at,
    updated_at: row.updated_at,
    ...withoutNulls({ description: row.description, icon: row.icon, model_preference: row.model_preference }),
    ...(own ? withoutNulls(setUp) : {}),
  };
}

export function bindingView(row: ConnectorBindingRow): ConnectorBindingDto {
  const { row_version: _version, connection_id, ...shown } = row;
  return { ...shown, ...withoutNulls({ connection_id }) };
}

export function skillView(row: SkillRow): SkillDto {
  return {
    id: row.id,
    skill_type: row.skill_type,
    skill_reference: row.skill_name ?? row.playbook_id ?? '',
    priority: row.priority,
    parameters: row.parameters,
    is_enabled: row.is_enabled,
    created_at: row.created_at,
    updated_at: row.updated_at,
    ...withoutNulls({ playbook_slug: row.playbook_slug, playbook_name: row.playbook_name }),
  };
}

export function shareView(row: ShareRow): ShareDto {
  const { row_version: _version, profile_id, owner_id, ...shown } = row;
  return { ...shown, agent_profile_id: profile_id, shared_by: owner_id };
}

export function availableView(row: AvailableAgent): AvailableAgentDto {
  return {
    agent_profile_id: row.agent_profile_id,
    handle: row.handle,
    name: row.name,
    source: row.team_id === null ? 'own' : 'team',
    ...withoutNulls({ icon: row.icon, team_id: row.team_id, team_name: row.team_name }),
  };
}
