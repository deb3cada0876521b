import { isUuid } from '../../core/base/uuid';
import { randomUUID } from 'node:crypto';
import { AppError } from '../../core/errors/app-error';
import type { Sql } from '../db/database';
import type { WorkspaceRow, WorkspacesStore } from '../db/stores/workspaces.store';

/** The caller's transaction, and the store of the rows about workspaces. */
export interface WorkspaceAccess {
  sql: Sql;
  store: WorkspacesStore;
}
const DEFAULT_SLUG = 'default';

/**
 * Opens the owner's workspace of this id or name; absent = the default one, made at first use. `create` makes a missing
 * one with its schema. @throws AppError `workspace_not_found`, `invalid_workspace_name`
 */
export async function openWorkspace(
  door: WorkspaceAccess,
  request: { ownerId: string; workspace?: string; create: boolean },
): Promise<WorkspaceRow> {
  const given = request.workspace?.trim() ?? '';
  if (isUuid(given)) {
    return (await door.store.getById(request.ownerId, given, door.sql)) ?? notFound(given);
  }
  const slug = given === '' ? DEFAULT_SLUG : slugOf(given);
  const found = await door.store.get(request.ownerId, slug, door.sql);
  if (found !== null) {
    return found;
  }
  if (!request.create && slug !== DEFAULT_SLUG) {
    return notFound(given);
  }
  const schema_name = `ws_${randomUUID().replace(/-/g, '')}`;
  const workspace = await door.store.ensure(
    request.ownerId,
    { slug, name: given === '' ? 'Default' : given, schema_name },
    door.sql,
  );
  await door.sql.query('select app_create_workspace($1)', [workspace.id]);
  return workspace;
}

function slugOf(name: string): string {
  const slug = name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 60);
  if (slug === '') {
    throw new AppError('invalid_workspace_name', 'A workspace name needs at least one letter (a to z) or digit.', {
      category: 'validation',
    });
  }
  return slug;
}

function notFound(name: string): never {
  throw new AppError(
    'workspace_not_found',
    `There is no workspace "${name}". Check \`workspace_id\`, or set \`create_if_missing\`.`,
    {
      category: 'not_found',
    },
  );
}
