import { owner, type Database } from '../database';

/** Definitions for runs of another's profile: its owner's playbooks and connectors, as far as they are bound to it. */
export class ProfileDefinitionsStore {
  constructor(private readonly database: Database) {}

  /** The version to run of a playbook that the profile has as a skill: the latest, or the one named. Null: there is none. */
  async playbookVersion(
    callerId: string,
    profileId: string,
    playbook: { ref: string; version?: string },
  ): Promise<{ playbook_id: string; version_id: string } | null> {
    const [row] = await this.database.query<{ playbook_id: string; version_id: string }>(
      owner(callerId),
      `select p.id as playbook_id, coalesce(v.id, p.latest_version_id) as version_id
        from playbooks p
        left join lateral (select id from playbook_versions where playbook_id = p.id
          and (declared_version = $4 or version_no::text = $4) order by version_no desc limit 1) v on true
        where p.id in (select app_profile_playbooks($2)) and p.deleted_at is null and p.owner_id <> $1
          and (p.slug = $3 or p.id::text = lower($3)) and ($4::text is null or v.id is not null)
        order by (p.slug = $3) desc limit 1`,
      [callerId, profileId, playbook.ref, playbook.version ?? null],
    );
    return row ?? null;
  }

  /** Ids of the latest versions by slug; what is not bound to the profile is left out. */
  async latestConnectors(callerId: string, profileId: string, slugs: readonly string[]): Promise<Map<string, string>> {
    const rows = await this.database.query<{ slug: string; latest_version_id: string }>(
      owner(callerId),
      `select slug, latest_version_id from connectors
        where id in (select app_profile_connectors($1)) and deleted_at is null and latest_version_id is not null
          and slug = any($2)`,
      [profileId, slugs],
    );
    return new Map(rows.map((row) => [row.slug, row.latest_version_id]));
  }
}
