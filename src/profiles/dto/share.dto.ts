import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsBoolean, IsIn, IsUUID } from 'class-validator';
import { IsOptional, IsQueryInt, IsText } from '../../http/fields';

export const VISIBILITIES = ['own_only', 'own_and_scheduled', 'full'] as const;
type Visibility = (typeof VISIBILITIES)[number];

/** A field that is left out stays as it is, or has its default at first. */
export class ShareFieldsDto {
  @ApiPropertyOptional({
    example: true,
    default: false,
    description: 'The agent may read the folders that the team shares.',
  })
  @IsOptional()
  @IsBoolean()
  team_file_access?: boolean;

  @ApiPropertyOptional({ default: false, description: 'The agent may read and write the team’s conversations.' })
  @IsOptional()
  @IsBoolean()
  team_post_access?: boolean;

  @ApiPropertyOptional({
    enum: VISIBILITIES,
    default: 'own_and_scheduled',
    description:
      'What members see of each other’s runs and journal: nothing, those that nobody waited for at the screen, or all.',
  })
  @IsOptional()
  @IsIn(VISIBILITIES)
  journal_visibility?: Visibility;

  @ApiPropertyOptional({ default: true, description: 'False: the team cannot use it for now.' })
  @IsOptional()
  @IsBoolean()
  is_active?: boolean;
}

export class ShareProfileDto extends ShareFieldsDto {
  @ApiProperty({ example: '0f8fad5b-d9cb-469f-a165-70867728950e', format: 'uuid' })
  @IsUUID('all')
  team_id!: string;
}

export class ShareDto {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty({ format: 'uuid' })
  agent_profile_id!: string;

  @ApiProperty({ format: 'uuid' })
  team_id!: string;

  @ApiProperty()
  team_name!: string;

  @ApiProperty({ format: 'uuid' })
  shared_by!: string;

  @ApiProperty()
  team_file_access!: boolean;

  @ApiProperty()
  team_post_access!: boolean;

  @ApiProperty({ enum: VISIBILITIES })
  journal_visibility!: Visibility;

  @ApiProperty()
  is_active!: boolean;

  @ApiProperty({ format: 'date-time' })
  created_at!: string;

  @ApiProperty({ format: 'date-time' })
  updated_at!: string;
}

export class ShareListDto {
  @ApiProperty({ type: [ShareDto] })
  items!: ShareDto[];

  @ApiPropertyOptional()
  next_cursor?: string;
}

export class ResolveHandleQuery {
  @ApiProperty({ description: 'With or without the `@`.', example: 'nonprofit-investigator' })
  @IsText(101, 1)
  handle!: string;

  @ApiPropertyOptional({ format: 'uuid', description: 'Only what is shared with this team.' })
  @IsOptional()
  @IsUUID('all')
  team?: string;
}

export class ResolvedHandleDto {
  @ApiProperty({ format: 'uuid' })
  agent_profile_id!: string;

  @ApiProperty()
  name!: string;

  @ApiPropertyOptional()
  icon?: string;

  @ApiProperty({ enum: ['user', 'team'] })
  owner!: 'user' | 'team';

  @ApiPropertyOptional({ format: 'uuid' })
  team_id?: string;
}

export class AvailableAgentsQuery {
  @ApiPropertyOptional({ description: 'Beginning of the handle or the name; with or without the `@`.' })
  @IsOptional()
  @IsText(101)
  q?: string;

  @ApiPropertyOptional({ type: 'integer', minimum: 1, maximum: 200, default: 50 })
  @IsQueryInt(1, 200)
  limit?: number;
}

export class AvailableAgentDto {
  @ApiProperty({ format: 'uuid' })
  agent_profile_id!: string;

  @ApiProperty()
  handle!: string;

  @ApiProperty()
  name!: string;

  @ApiPropertyOptional()
  icon?: string;

  @ApiProperty({ enum: ['own', 'team'] })
  source!: 'own' | 'team';

  @ApiPropertyOptional({ format: 'uuid' })
  team_id?: string;

  @ApiPropertyOptional()
  team_name?: string;
}

export class AvailableAgentListDto {
  @ApiProperty({ type: [AvailableAgentDto] })
  items!: AvailableAgentDto[];
}
