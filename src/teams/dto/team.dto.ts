import { ApiProperty, ApiPropertyOptional, PartialType } from '@nestjs/swagger';
import { IsIn } from 'class-validator';
import type { TeamRole } from '../../../infra/db/stores/profile-types';
import { IsNullable, IsText } from '../../http/fields';
import { VISIBILITIES } from '../../profiles/dto/share.dto';

export const ROLES = ['owner', 'admin', 'member', 'viewer'] as const;
const ROLE_TEXT =
  'Viewers see; members run and share; admins also manage members, viewers and shares; owners everything.';

export class CreateTeamDto {
  @ApiProperty({ example: 'Research Unit' })
  @IsText(255, 1)
  name!: string;

  @ApiPropertyOptional({ type: String, nullable: true, description: 'null = none.' })
  @IsNullable()
  @IsText(10_000)
  description?: string | null;
}

/** A field that is left out stays as it is. */
export class UpdateTeamDto extends PartialType(CreateTeamDto, { skipNullProperties: false }) {}

export class TeamDto {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty()
  name!: string;

  @ApiPropertyOptional()
  description?: string;

  @ApiProperty({ enum: ROLES, description: `Yours. ${ROLE_TEXT}` })
  role!: TeamRole;

  @ApiProperty({ format: 'date-time' })
  created_at!: string;

  @ApiProperty({ format: 'date-time' })
  updated_at!: string;
}

export class TeamListDto {
  @ApiProperty({ type: [TeamDto] })
  items!: TeamDto[];

  @ApiPropertyOptional()
  next_cursor?: string;
}

export class ChangeMemberDto {
  @ApiProperty({ example: 'member', enum: ROLES, description: ROLE_TEXT })
  @IsIn(ROLES)
  role!: TeamRole;
}

export class TeamMemberDto {
  @ApiProperty({ format: 'uuid' })
  user_id!: string;

  @ApiProperty()
  handle!: string;

  @ApiProperty()
  display_name!: string;

  @ApiProperty({ enum: ROLES })
  role!: TeamRole;

  @ApiProperty({ format: 'date-time', description: 'When they came.' })
  created_at!: string;
}

export class TeamMemberListDto {
  @ApiProperty({ type: [TeamMemberDto] })
  items!: TeamMemberDto[];

  @ApiPropertyOptional()
  next_cursor?: string;
}

export class TeamAgentDto {
  @ApiProperty({ format: 'uuid' })
  agent_profile_id!: string;

  @ApiProperty()
  handle!: string;

  @ApiProperty()
  name!: string;

  @ApiPropertyOptional()
  description?: string;

  @ApiPropertyOptional()
  icon?: string;

  @ApiProperty()
  is_active!: boolean;

  @ApiProperty({ format: 'uuid' })
  owner_id!: string;

  @ApiPropertyOptional()
  owner_name?: string;

  @ApiProperty()
  team_file_access!: boolean;

  @ApiProperty()
  team_post_access!: boolean;

  @ApiProperty({ enum: VISIBILITIES })
  journal_visibility!: string;

  @ApiProperty({ format: 'date-time' })
  shared_at!: string;
}

export class TeamAgentListDto {
  @ApiProperty({ type: [TeamAgentDto] })
  items!: TeamAgentDto[];

  @ApiPropertyOptional()
  next_cursor?: string;
}
