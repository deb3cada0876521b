import { randomUUID } from 'node:crypto';
import { AppError } from '../../../core/errors/app-error';
import { owner, type Database, type Sql } from '../database';
import type { SeenVersion } from '../row-version';
import { mapConflict } from './conflicts';
import { notFound } from './not-found';
import { openPage, type Page, type PageRequest } from './page';
import type { NewProfile, ProfileFields, ProfileRow } from './profile-types';
import { lockSeen } from './seen-row';
import { assignments, placeholders, setClause } from './set-clause';

const COLUMNS = `id, owner_id, handle, name, description, icon, is_active, model_preference, max_research_rounds,
  system_prompt_additions, knowledge_config, output_config, journal_config, default_execution_mode, default_run_context,
  default_approval_policy, row_version, created_at, updated_at`;
const DOCUMENTS = ['knowledge_config', 'output_config', 'journal_config'];
const WRITABLE = [
  'handle',
  'name',
  'description',
  'icon',
  'is_active',
  'model_preference',
  'max_research_rounds',
  'system_prompt_additions',
  ...DOCUMENTS,
  'default_execution_mode',
  'default_run_context',
  'default_approval_policy',
];

export class ProfilesStore {
  constructor(private readonly database: Database) {}

  /** Throws `handle_taken`. */
  async create(ownerId: string, profile: NewProfile, sql: Sql = this.database.as(owner(ownerId))): Promise<ProfileRow> {
    return mapConflict(insert(sql, ownerId, profile), () => handleTaken(profile.handle));
  }

  /** One's own, or one that is shared with a team of the caller's. Throws `profile_not_found`. */
  async require(callerId: string, id: string): Promise<ProfileRow> {
    const [row] = await this.database.query<ProfileRow>(
      owner(callerId),
      `select ${COLUMNS} from agent_profiles
        where id = $1 and deleted_at is null and (owner_id = $2 or id in (select app_team_profiles()))`,
      [id, callerId],
    );
    if (row === undefined) {
      throw notFound('profile', id);
    }
    return row;
  }

  /** `require` for a profile of the caller's own; another's throws `not_profile_owner`. */
  async requireOwn(callerId: string, id: string): Promise<ProfileRow> {
    const row = await this.require(callerId, id);
    if (row.owner_id !== callerId) {
      throw notProfileOwner();
    }
    return row;
  }

  async list(ownerId: string, request: PageRequest): Promise<Page<ProfileRow>> {
    const page = openPage('profiles', request);
    const rows = await this.database.query<ProfileRow>(
      owner(ownerId),
      `select ${COLUMNS} from agent_profiles
        where owner_id = $1 and deleted_at is null and ${page.after('$2', '$3')} order by ${page.order} limit $4`,
      [ownerId, ...page.position, page.take],
    );
    return page.of(rows);
  }

  /** Throws `profile_not_found`, `not_profile_owner`, `handle_taken`, and for `seen` as `checkSeen`. */
  async update(
    callerId: string,
    id: string,
    changes: ProfileFields & { handle?: string; name?: string },
    seen: SeenVersion,
  ): Promise<ProfileRow> {
    const set = assignments(changes, WRITABLE, DOCUMENTS);
    const work = this.database.tx(owner(callerId), async (sql) => {
      if (!(await lockSeen(sql, mine(callerId, id), seen))) {
        return undefined;
      }
      const [row] = await sql.query<ProfileRow>(
        `update agent_profiles set ${setClause(set, 2)} updated_at = clock_timestamp() where id = $1 returning ${COLUMNS}`,
        [id, ...set.params],
      );
      return row;
    });
    return (await mapConflict(work, () => handleTaken(changes.handle ?? ''))) ?? this.requireOwn(callerId, id);
  }

  /** Hides the profile and ends its shares; its runs and its journal stay. Throws as `update` does. */
  async remove(callerId: string, id: string, seen: SeenVersion): Promise<void> {
    const found = await this.database.tx(owner(callerId), async (sql) => {
      if (!(await lockSeen(sql, mine(callerId, id), seen))) {
        return false;
      }
      await sql.query('update agent_profiles set deleted_at = clock_timestamp() where id = $1', [id]);
      await sql.query('delete from agent_team_shares where profile_id = $1 and owner_id = $2', [id, callerId]);
      return true;
    });
    if (!found) {
      await this.requireOwn(callerId, id);
    }
  }

  /** A copy with the same connectors and skills, shared with nobody. Throws `handle_taken`. */
  async duplicate(sql: Sql, source: ProfileRow, names: { handle: string; name?: string }): Promise<ProfileRow> {
    const copy = { ...fieldsOf(source), handle: names.handle, name: names.name ?? source.name };
    const work = insert(sql, source.owner_id, copy);
    const made = await mapConflict(work, () => handleTaken(names.handle));
    await copyBindings(sql, source.owner_id, { from: source.id, to: made.id });
    return made;
  }
}

function mine(ownerId: string, id: string): Parameters<typeof lockSeen>[1] {
  return { table: 'agent_profiles', where: 'id = $1 and owner_id = $2 and deleted_at is null', params: [id, ownerId] };
}

async function insert(sql: Sql, ownerId: string, profile: NewProfile): Promise<ProfileRow> {
  const set = assignments(profile, WRITABLE, DOCUMENTS);
  const [row] = await sql.query<ProfileRow>(
    `insert into agent_profiles (id, owner_id, ${set.columns.join(', ')}) values ($1, $2, ${placeholders(set, 3)})
      returning ${COLUMNS}`,
    [randomUUID(), ownerId, ...set.params],
  );
  return row as ProfileRow;
}

async function copyBindings(sql: Sql, ownerId: string, { from, to }: { from: string; to: string }): Promise<void> {
  await sql.query(
    `insert into profile_connectors (id, profile_id, owner_id, connector_id, connection_id, credentials, config_overrides,
        permissions, is_enabled)
      select gen_random_uuid(), $2, owner_id, connector_id, connection_id, credentials, config_overrides, permissions, is_enabled
        from profile_connectors where profile_id = $1 and owner_id = $3`,
    [from, to, ownerId],
  );
  await sql.query(
    `insert into profile_skills (id, profile_id, owner_id, skill_type, skill_name, playbook_id, priority, parameters, is_enabled)
      select gen_random_uuid(), $2, owner_id, skill_type, skill_name, playbook_id, priority, parameters, is_enabled
        from profile_skills where profile_id = $1 and owner_id = $3`,
    [from, to, ownerId],
  );
}

function fieldsOf(row: ProfileRow): ProfileFields {
  const {
    id: _id,
    owner_id: _owner,
    row_version: _version,
    created_at: _created,
    updated_at: _updated,
    ...fields
  } = row;
  return fields;
}

function notProfileOwner(): AppError {
  return new AppError(
    'not_profile_owner',
    'This profile is shared with you; only its owner can change or look into its set-up..',
    { category: 'forbidden' },
  );
}

function handleTaken(handle: string): AppError {
  return new AppError(
    'handle_taken',
    `You have a profile @${handle} already. Take another handle, or change that one.`,
    {
      category: 'conflict',
    },
  );
}
