import { randomUUID } from 'node:crypto';
import type { Sql } from '../../infra/db/database';
import { idOf, type Row, type TenantRows } from './tenant-row';
import { approvalMakers } from './tenant-approval-rows';
import { connectorMakers } from './tenant-connector-rows';
import { profileMakers } from './tenant-profile-rows';

export { idOf, type Row, type TenantRows } from './tenant-row';

/** The column that says whose a row is. */
export function ownerColumn(table: string): string {
  if (table === 'users') return 'id';
  if (table === 'team_members') return 'user_id';
  return table === 'blobs' || table === 'blob_chunks' ? 'scope' : 'owner_id';
}

/** One row in every table that has an owner. A new table gets its row here. */
export async function seedTenant(admin: Sql, ownerId: string): Promise<TenantRows> {
  const rows: TenantRows = new Map();
  const [user] = await admin.query<Row>('select * from users where id = $1', [ownerId]);
  rows.set('users', user ?? {});
  const there = await admin.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace`,
  );
  const exists = new Set(there.map(({ name }) => name));
  // An older schema has fewer.
  for (const [table, values] of makers(ownerId, rows).filter(([name]) => exists.has(name))) {
    const row = values();
    const columns = Object.keys(row);
    const [made] = await admin.query<Row>(
      `insert into ${table} (${columns.join(', ')}) values (${columns.map((_, index) => `$${index + 1}`).join(', ')})
       returning *`,
      Object.values(row),
    );
    rows.set(table, made ?? {});
  }
  await admin.query('update playbooks set latest_version_id = $2 where id = $1', [
    idOf(rows, 'playbooks'),
    idOf(rows, 'playbook_versions'),
  ]);
  return rows;
}

/** Makers in an order in which references exist. */
function makers(owner_id: string, rows: TenantRows): [string, () => Row][] {
  const own = (): Row => ({ id: randomUUID(), owner_id });
  const version = (ref: string, parent: string, body: string): Row => ({
    ...own(),
    [ref]: idOf(rows, parent),
    version_no: 1,
    content_hash: 'h',
    source_format: 'yaml',
    source: 'x',
    [body]: '{}',
  });
  const step = (): Row => ({ run_id: idOf(rows, 'runs'), owner_id, step_path: 'a', effect_key: 'k', try_no: 1 });
  return [
    ['playbooks', () => ({ ...own(), slug: 'p', name: 'P' })],
    ['playbook_versions', () => version('playbook_id', 'playbooks', 'plan')],
    ['connectors', () => ({ ...own(), slug: 'c', name: 'C', type: 'rest_api' })],
    ['connector_versions', () => version('connector_id', 'connectors', 'definition')],
    ['runs', () => runOf(own(), rows)],
    ['run_events', () => ({ run_id: idOf(rows, 'runs'), seq: 1, event_id: 'e', owner_id, type: 't', payload: '{}' })],
    ['step_results', () => ({ ...step(), step_name: 'a', action: 'x', status: 'ok', started_at: '2026-01-01Z' })],
    ['step_attempts', () => ({ ...step(), starts: 1 })],
    ['model_calls', () => ({ ...step(), ...modelCall(own()) })],
    ['approvals', () => ({ ...own(), ...approval(idOf(rows, 'runs')) })],
    ['approval_decisions', () => decision(owner_id, rows)],
    ...approvalMakers(owner_id, rows),
    ['decision_log', () => ({ owner_id, no: 1, entry: '{}', prev_hash: '0', hash: '1' })],
    ['blobs', () => ({ scope: owner_id, sha256: 'f', size: 1, chunks: 1 })],
    ['blob_chunks', () => ({ scope: owner_id, sha256: 'f', no: 0, data: Buffer.from('x') })],
    ['folders', () => ({ ...own(), name: 'f' })],
    ['documents', () => ({ ...own(), name: 'd', media_type: 'text/plain', size: 1, sha256: 'f' })],
    ['workspaces', () => ({ ...own(), slug: 'w', name: 'W', schema_name: `ws_${randomUUID().replaceAll('-', '')}` })],
    [
      'workspace_tables',
      () => ({ ...own(), workspace_id: idOf(rows, 'workspaces'), name: 't', sql_name: 't', columns: '[]' }),
    ],
    ['journal_entries', () => ({ ...own(), summary: 's' })],
    ['secrets', () => ({ ...own(), name: 's', ciphertext: Buffer.from('x'), key_id: 'k', allowed_hosts: ['*'] })],
    ['access_tokens', () => ({ owner_id, slot: 's', claim_id: randomUUID(), lease_until: '2999-01-01Z' })],
    ['decision_heads', () => head(owner_id)],
    ['idempotency_keys', () => keyed(owner_id)],
    ...profileMakers(owner_id, rows),
    ...connectorMakers(owner_id),
    ['passwords', () => ({ owner_id, hash: 'x' })],
    ['sessions', () => ({ ...own(), kind: 'token', peer: '::1', expires_at: '2999-01-01Z' })],
    [
      'refresh_tokens',
      () => ({ owner_id, session_id: idOf(rows, 'sessions'), hash: randomUUID(), expires_at: '2999-01-01Z' }),
    ],
    ['api_keys', () => ({ ...own(), name: 'k', prefix: 'afk_', hash: randomUUID() })],
    ['invites', () => ({ ...own(), hash: randomUUID(), expires_at: '2999-01-01Z' })],
    ['audit_log', () => ({ owner_id, actor: 'a', means: 'key', action: 'x', peer: '::1' })],
  ];
}

function runOf(own: Row, rows: TenantRows): Row {
  return {
    ...own,
    root_run_id: own['id'],
    playbook_id: idOf(rows, 'playbooks'),
    playbook_version_id: idOf(rows, 'playbook_versions'),
    playbook_slug: 'p',
    playbook_name: 'P',
    inputs: '{}',
    run_context: 'interactive',
    approval_policy: 'require',
    clock: '{}',
  };
}

function modelCall(own: Row): Row {
  return { ...own, call_no: 1, provider: 'p', model: 'm', outcome: 'ok', latency_ms: 1 };
}

function approval(run_id: string): Row {
  return { run_id, step_path: 'gate', step_name: 'gate', prompt: '?', on_reject: 'stop', on_timeout: 'reject' };
}

function head(owner_id: string): Row {
  return { owner_id, no: 1, hash: '1', signed_at: '2026-01-01Z', key_id: 'k', public_key: 'p', signature: 's' };
}

function keyed(owner_id: string): Row {
  return {
    owner_id,
    method: 'POST',
    route: '/',
    key: 'k',
    request_hash: 'h',
    claim_id: randomUUID(),
    lease_until: '2026-01-01Z',
  };
}

function decision(owner_id: string, rows: TenantRows): Row {
  return {
    approval_id: idOf(rows, 'approvals'),
    decision_id: randomUUID(),
    run_id: idOf(rows, 'runs'),
    owner_id,
    actor: 'a',
    via: 'api',
    decision: 'approve',
  };
}
