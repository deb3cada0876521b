import { randomUUID } from 'node:crypto';
import { idOf, type Row, type TenantRows } from './tenant-row';

type Maker = [table: string, row: () => Row];

/** Profiles, teams and what hangs on them, in an order in which what is referred to is there. */
export function profileMakers(owner_id: string, rows: TenantRows): Maker[] {
  const own = (): Row => ({ id: randomUUID(), owner_id });
  const of = (...tables: [column: string, table: string][]): Row =>
    Object.fromEntries(tables.map(([column, table]) => [column, idOf(rows, table)]));
  const profile: [string, string] = ['profile_id', 'agent_profiles'];
  const run: [string, string] = ['run_id', 'runs'];
  return [
    ['teams', () => ({ ...own(), name: 'T' })],
    ['team_members', () => ({ ...of(['team_id', 'teams']), user_id: owner_id, role: 'owner' })],
    ['team_invitations', () => ({ owner_id, ...of(['team_id', 'teams']), role: 'viewer', invited_by: owner_id })],
    ['topics', () => ({ ...own(), slug: 't', name: 'T' })],
    ['agent_profiles', () => ({ ...own(), handle: 'a', name: 'A' })],
    ['connections', () => ({ ...own(), provider: 'p', name: 'c', kind: 'api_key' })],
    ['profile_connectors', () => ({ ...own(), ...of(profile, ['connector_id', 'connectors']) })],
    ['profile_skills', () => ({ ...own(), ...of(profile, ['playbook_id', 'playbooks']), skill_type: 'playbook' })],
    ['agent_team_shares', () => ({ ...own(), ...of(profile, ['team_id', 'teams']) })],
    ['schedules', () => ({ ...own(), name: 's', cron_expression: '0 8 * * 1' })],
    ['monitors', () => ({ ...own(), name: 'm', interval_seconds: 60 })],
    ['monitor_watermarks', () => ({ ...of(['monitor_id', 'monitors']), owner_id, ...watermark() })],
    ['discoveries', () => ({ ...own(), ...of(run), discovery_type: 'new_entity' })],
    ['entity_reviews', () => ({ ...own(), source_entity_name: 'a', candidate_entity_name: 'b', confidence: 0.8 })],
    ['entity_resolutions', () => ({ ...own(), action: 'auto_merge', source_entity_name: 'a' })],
    ['notifications', () => ({ ...own(), kind: 'k', title: 't' })],
    ['webhooks', () => ({ ...own(), name: 'w', url: 'https://example.org/', events: ['run.complete'] })],
    ['plugins', () => ({ ...own(), name: 'p', version: '1', connection_type: 'api_key', tool_pack_name: 'p' })],
    ['plugin_settings', () => ({ ...own(), ...of(['plugin_id', 'plugins']) })],
  ];
}

function watermark(): Row {
  return { step_name: 's', watermark_type: 'cursor', watermark_value: '1' };
}
