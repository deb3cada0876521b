import { ApiProperty } from '@nestjs/swagger';
import type { TeamRole } from '../../../infra/db/stores/profile-types';
import { IsText } from '../../http/fields';
import { ListDto } from '../../shared/list.dto';
import { ChangeMemberDto, ROLES } from './team.dto';

export class InviteMemberDto extends ChangeMemberDto {
  @ApiProperty({ description: 'Id or handle of a user.', example: 'barbara' })
  @IsText(200, 1)
  user!: string;
}

export class TeamInvitationDto {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty({ format: 'uuid' })
  team_id!: string;

  @ApiProperty()
  team_name!: string;

  @ApiProperty({ format: 'uuid', description: 'Who is invited.' })
  user_id!: string;

  @ApiProperty()
  handle!: string;

  @ApiProperty()
  display_name!: string;

  @ApiProperty({ enum: ROLES, description: 'Role that they will have.' })
  role!: TeamRole;

  @ApiProperty({ description: 'Handle of the person who invited them.' })
  invited_by!: string;

  @ApiProperty({ format: 'date-time' })
  created_at!: string;
}

export class TeamInvitationListDto extends ListDto {
  @ApiProperty({ type: [TeamInvitationDto] })
  items!: TeamInvitationDto[];
}
