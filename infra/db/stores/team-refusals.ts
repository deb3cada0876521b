import { AppError } from '../../../core/errors/app-error';

/** Refusals of changes to a team's people or shares, by the answer of their function (infra/db/schema/functions). */
const REFUSALS: Record<string, [code: string, message: string, category: 'forbidden' | 'conflict' | 'not_found']> = {
  not_found: ['team_not_found', 'There is no such team.', 'not_found'],
  user_not_found: ['user_not_found', 'There is no such user. Name somebody by id or handle.', 'not_found'],
  member_not_found: ['member_not_found', 'This user is not in the team.', 'not_found'],
  share_not_found: ['share_not_found', 'This profile is not shared with this team.', 'not_found'],
  already_member: ['already_member', 'This user is in the team already. Change the role with PUT.', 'conflict'],
  forbidden: [
    'team_role_required',
    'Your role in this team does not allow it: admins manage members and viewers, owners everybody.',
    'forbidden',
  ],
  only_narrower: [
    'only_narrower',
    'Only its owner lets a share do more. You may switch it off, or let it show and reach less.',
    'forbidden',
  ],
  last_owner: ['last_owner', 'A team needs an owner. Make somebody else owner first, or delete the team.', 'conflict'],
};

export function refusal(outcome: string): AppError {
  const [code, message, category] = REFUSALS[outcome] ?? [
    'team_not_found',
    'There is no such team.',
    'not_found' as const,
  ];
  return new AppError(code, message, { category });
}
