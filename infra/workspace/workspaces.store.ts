import { randomUUID } from 'node:crypto';
import { AppError } from '../../core/errors/app-error';
import type { Sql } from '../db/database';
import { quoted } from './identifiers';

export interface Workspace {
  id: string;
  slug: string;
  schema_name: string;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const DEFAULT_SLUG = 'default';

/**
 * The owner's workspace of this id or name; absent = the default one. A name that is not there yet is created
 * with its schema when `create` is set.
 * @throws AppError `workspace_not_found`, `invalid_workspace_name`
 */
export async function openWorkspace(sql: Sql, request: { ownerId: string; workspace?: string; create: boolean }): Promise<Workspace> {
  const given = request.workspace?.trim() ?? '';
  if (UUID.test(given)) {
    return (await findById(sql, request.ownerId, given)) ?? notFound(given);
  }
  const slug = given === '' ? DEFAULT_SLUG : slugOf(given);
  const found = await findBySlug(sql, request.ownerId, slug);
  if (found !== undefined) {
    return found;
  }
  if (!request.create && slug !== DEFAULT_SLUG) {
    return notFound(given);
  }
  return create(sql, request.ownerId, { slug, name: given === '' ? 'Default' : given });
}

async function create(sql: Sql, ownerId: string, names: { slug: string; name: string }): Promise<Workspace> {
  const id = randomUUID();
  const schema = `ws_${id.replace(/-/g, '')}`;
  await sql.query(
    `insert into workspaces (id, owner_id, slug, name, schema_name) values ($1, $2, $3, $4, $5)
     on conflict (owner_id, slug) where deleted_at is null do nothing`,
    [id, ownerId, names.slug, names.name, schema],
  );
  const workspace = (await findBySlug(sql, ownerId, names.slug)) ?? notFound(names.name);
  await sql.query(`create schema if not exists ${quoted(workspace.schema_name)}`);
  return workspace;
}

async function findBySlug(sql: Sql, ownerId: string, slug: string): Promise<Workspace | undefined> {
  const rows = await sql.query<Workspace>(
    'select id, slug, schema_name from workspaces where owner_id = $1 and slug = $2 and deleted_at is null',
    [ownerId, slug],
  );
  return rows[0];
}

async function findById(sql: Sql, ownerId: string, id: string): Promise<Workspace | undefined> {
  const rows = await sql.query<Workspace>(
    'select id, slug, schema_name from workspaces where owner_id = $1 and id = $2 and deleted_at is null',
    [ownerId, id],
  );
  return rows[0];
}

function slugOf(name: string): string {
  const slug = name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 60);
  if (slug === '') {
    throw new AppError('invalid_workspace_name', 'A workspace name needs at least one letter or digit.', { category: 'validation' });
  }
  return slug;
}

function notFound(name: string): never {
  throw new AppError('workspace_not_found', `There is no workspace "${name}". Check \`workspace_id\`, or set \`create_if_missing\`.`, {
    category: 'not_found',
  });
}
