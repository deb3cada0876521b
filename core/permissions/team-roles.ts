export const TEAM_ROLES = ['owner', 'admin', 'member', 'viewer'] as const;
export type TeamRole = (typeof TEAM_ROLES)[number];

/**
 * - `see`: the team, its members, what is shared with it and its journal
 * - `run`: start profiles and playbooks that are shared with the team, with one's own rights
 * - `share`: bring something of one's own into the team, and take it back
 * - `members`: invite, remove, give roles below one's own
 * - `settings`: name; shares of others, to let them do less or take them away: more is for their owners alone
 * - `transfer`: make somebody else the owner, delete the team
 */
export type TeamRight = 'see' | 'run' | 'share' | 'members' | 'settings' | 'transfer';

const RIGHTS: Record<TeamRole, readonly TeamRight[]> = {
  owner: ['see', 'run', 'share', 'members', 'settings', 'transfer'],
  admin: ['see', 'run', 'share', 'members', 'settings'],
  member: ['see', 'run', 'share'],
  viewer: ['see'],
};

/** Tells whether a role has a right; without a role the team is not visible at all. */
export function teamMay(role: TeamRole | undefined, right: TeamRight): boolean {
  return role !== undefined && RIGHTS[role].includes(right);
}

/** True if a person may give, take or remove a role: only roles below their own. */
export function mayGiveRole(by: TeamRole, role: TeamRole): boolean {
  return teamMay(by, 'members') && TEAM_ROLES.indexOf(role) > TEAM_ROLES.indexOf(by);
}
