import { randomUUID } from 'node:crypto';
import { AppError } from '../../../core/errors/app-error';
import { owner, type Database, type Sql } from '../database';
import type { SeenVersion } from '../row-version';
import { mapConflict } from './conflicts';
import { refuseMore } from './binding-limit';
import { notFound } from './not-found';
import { PLAYBOOKS, slugsOf } from './definition-sql';
import type { SkillFields, SkillRow } from './profile-types';
import { lockSeen } from './seen-row';
import { assignments, setClause } from './set-clause';

const DOCUMENTS = ['parameters'];
const WRITABLE = ['priority', 'parameters', 'is_enabled'];
const SELECT = `select k.id, k.skill_type, k.skill_name, k.playbook_id, p.slug as playbook_slug, p.name as playbook_name,
    k.priority, k.parameters, k.is_enabled, k.row_version, k.created_at, k.updated_at
  from profile_skills k left join playbooks p on p.id = k.playbook_id`;

export type NewSkill = SkillFields & ({ built_in: string } | { playbook: string });

/** Skills of a profile: built-in skills and playbooks. The caller has checked that the profile is the owner's own. */
export class ProfileSkillsStore {
  constructor(private readonly database: Database) {}

  /** The first is the most important. */
  async list(ownerId: string, profileId: string): Promise<SkillRow[]> {
    return this.database.query<SkillRow>(
      owner(ownerId),
      `${SELECT} where k.profile_id = $1 and k.owner_id = $2 order by k.priority desc, k.created_at, k.id`,
      [profileId, ownerId],
    );
  }

  /** Throws `playbook_not_found`, `skill_bound`, `too_many_bindings`. */
  async bind(
    ownerId: string,
    profileId: string,
    skill: NewSkill,
    sql: Sql = this.database.as(owner(ownerId)),
  ): Promise<SkillRow> {
    await refuseMore(sql, 'profile_skills', profileId);
    const set = assignments(skill, WRITABLE, DOCUMENTS);
    const named = set.columns.map((name) => `, ${name}`).join('');
    const values = set.columns.map((_column, index) => `, $${index + 5}`).join('');
    const id = randomUUID();
    const [what, source] =
      'playbook' in skill
        ? [
            skill.playbook,
            `'playbook', null, p.id${values} from playbooks p
              where p.owner_id = $3 and p.deleted_at is null and (p.slug = $4 or p.id::text = lower($4))
              order by (p.slug = $4) desc limit 1`,
          ]
        : [skill.built_in, `'built_in', $4, null::uuid${values}`];
    const work = sql.query(
      `insert into profile_skills (id, profile_id, owner_id, skill_type, skill_name, playbook_id${named})
        select $1, $2, $3, ${source} returning id`,
      [id, profileId, ownerId, what, ...set.params],
    );
    const [made] = await mapConflict(work, () => alreadyBound(what));
    if (made === undefined) {
      throw notFound('playbook', what, await slugsOf(sql, PLAYBOOKS, ownerId));
    }
    return required(sql, ownerId, { profileId, skillId: id });
  }

  /** Throws `skill_not_found`, and for `seen` as `checkSeen`. */
  async update(ownerId: string, at: SkillPlace, fields: SkillFields, seen: SeenVersion): Promise<SkillRow> {
    const set = assignments(fields, WRITABLE, DOCUMENTS);
    return this.database.tx(owner(ownerId), async (sql) => {
      if (await lockSeen(sql, placed(ownerId, at), seen)) {
        const text = `update profile_skills set ${setClause(set, 4)} updated_at = clock_timestamp() where ${WHERE}`;
        await sql.query(text, [...placed(ownerId, at).params, ...set.params]);
      }
      return required(sql, ownerId, at);
    });
  }

  /** Throws `skill_not_found`, and for `seen` as `checkSeen`. */
  async unbind(ownerId: string, at: SkillPlace, seen: SeenVersion): Promise<void> {
    await this.database.tx(owner(ownerId), async (sql) => {
      if (!(await lockSeen(sql, placed(ownerId, at), seen))) {
        throw noSkill(at.skillId);
      }
      await sql.query(`delete from profile_skills where ${WHERE}`, placed(ownerId, at).params);
    });
  }
}

export interface SkillPlace {
  profileId: string;
  skillId: string;
}

const WHERE = 'profile_id = $1 and id = $2 and owner_id = $3';

function placed(ownerId: string, at: SkillPlace): Parameters<typeof lockSeen>[1] {
  return { table: 'profile_skills', where: WHERE, params: [at.profileId, at.skillId, ownerId] };
}

async function required(sql: Sql, ownerId: string, at: SkillPlace): Promise<SkillRow> {
  const [row] = await sql.query<SkillRow>(
    `${SELECT} where k.profile_id = $1 and k.id = $2 and k.owner_id = $3`,
    placed(ownerId, at).params,
  );
  if (row === undefined) {
    throw noSkill(at.skillId);
  }
  return row;
}

function noSkill(skillId: string): AppError {
  return new AppError('skill_not_found', `This profile has no skill "${skillId}".`, { category: 'not_found' });
}

function alreadyBound(name: string): AppError {
  return new AppError('skill_bound', `This profile has the skill "${name}" already. Change that one.`, {
    category: 'conflict',
  });
}
