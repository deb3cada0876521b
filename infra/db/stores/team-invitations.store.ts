import { AppError } from '../../../core/errors/app-error';
import { owner, type Database, type Sql } from '../database';
import { checkSeen, type SeenVersion } from '../row-version';
import { openPage, sortsOf, type Page, type PageRequest } from './page';
import type { TeamRole } from './profile-types';
import { refusal } from './team-refusals';

export interface TeamInvitationRow {
  id: string;
  team_id: string;
  team_name: string;
  /** Invited person. */
  user_id: string;
  handle: string;
  display_name: string;
  role: TeamRole;
  /** Handle. */
  invited_by: string;
  created_at: string;
}

const OLDEST = sortsOf({ created_at: { column: 'i.created_at', type: 'timestamptz', id: 'i.id' } }).created_at;

/** Invitations into teams: only who is invited makes a member of themselves. */
export class TeamInvitationsStore {
  constructor(private readonly database: Database) {}

  /**
   * Invites a person by id or handle; a second time: with another role. Throws `team_not_found`, `team_role_required`,
   * `user_not_found`, `already_member`.
   */
  async invite(
    callerId: string,
    teamId: string,
    member: { user: string; role: TeamRole },
    sql: Sql = this.database.as(owner(callerId)),
  ): Promise<TeamInvitationRow> {
    const [answer] = await sql.query<{ outcome: string; invitation_id: string | null }>(
      'select outcome, invitation_id from app_invite_to_team($1, $2, $3)',
      [teamId, member.user, member.role],
    );
    if (answer?.outcome !== 'ok') throw refusal(answer?.outcome ?? 'not_found');
    const [row] = await sql.query<TeamInvitationRow>('select * from app_team_invitations($1) i where i.id = $2', [
      teamId,
      answer.invitation_id,
    ]);
    return row as TeamInvitationRow;
  }

  /** Open ones of a team, the oldest first; the caller's role has been asked before. */
  ofTeam(callerId: string, teamId: string, request: PageRequest): Promise<Page<TeamInvitationRow>> {
    return this.page(callerId, request, {
      list: `team-invitations/${teamId}`,
      from: 'app_team_invitations($1)',
      of: teamId,
    });
  }

  /** Lists invitations to the caller, the oldest first. */
  mine(callerId: string, request: PageRequest): Promise<Page<TeamInvitationRow>> {
    return this.page(callerId, request, { list: 'my-team-invitations', from: 'app_my_invitations()', of: null });
  }

  /** Returns the team. Throws `invitation_not_found`, also if the inviting person has lost the right. */
  async answer(
    callerId: string,
    id: string,
    accept: boolean,
    sql: Sql = this.database.as(owner(callerId)),
  ): Promise<string> {
    const [answer] = await sql.query<{ outcome: string; team_id: string | null }>(
      'select outcome, team_id from app_answer_invitation($1, $2)',
      [id, accept],
    );
    if (answer?.outcome !== 'ok' || answer.team_id === null) throw gone(id);
    return answer.team_id;
  }

  /** Throws `team_not_found`, `team_role_required`, `invitation_not_found`, and for `seen` as `checkSeen`. */
  async withdraw(callerId: string, at: { teamId: string; id: string }, seen: SeenVersion): Promise<void> {
    await this.database.tx(owner(callerId), async (sql) => {
      const [row] = await sql.query<{ outcome: string }>('select app_withdraw_invitation($1, $2) as outcome', [
        at.teamId,
        at.id,
      ]);
      if (row?.outcome === 'invitation_not_found') throw gone(at.id);
      if (row?.outcome !== 'ok') throw refusal(row?.outcome ?? 'not_found');
      // An invitation never changes until it ends.
      checkSeen({ id: at.id, row_version: 1 }, seen);
    });
  }

  private async page(
    callerId: string,
    request: PageRequest,
    { list, from, of }: { list: string; from: string; of: string | null },
  ): Promise<Page<TeamInvitationRow>> {
    const page = openPage(list, request, OLDEST);
    const rows = await this.database.query<TeamInvitationRow>(
      owner(callerId),
      `select * from ${from} i where ($1::uuid is null or i.team_id = $1) and ${page.after('$2', '$3')}
        order by ${page.order} limit $4`,
      [of, ...page.position, page.take],
    );
    return page.of(rows);
  }
}

function gone(id: string): AppError {
  return new AppError('invitation_not_found', `There is no open invitation "${id}".`, { category: 'not_found' });
}
