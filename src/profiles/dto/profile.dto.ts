import { ApiProperty, ApiPropertyOptional, PartialType } from '@nestjs/swagger';
import { ArrayMaxSize, IsArray, IsBoolean, IsIn, IsInt, IsString, Matches, Max, Min } from 'class-validator';
import type { JsonObject } from '../../../core/base/json';
import { IsDocument } from '../../http/document-field';
import { IsNullable, IsOptional, IsPart, IsText } from '../../http/fields';
import { APPROVAL_POLICIES, RUN_CONTEXTS } from '../../shared/run-modes';

const PROFILE_HANDLE = /^[a-z0-9]+(-[a-z0-9]+)*$/;
const EXECUTION_MODES = ['deterministic', 'llm_augmented', 'hybrid'] as const;
const LONGEST_CONFIG = 65_536;

/** `@handle`, unique among one's own profiles. */
export function IsProfileHandle(): PropertyDecorator {
  return (target, key) => {
    IsText(100, 1)(target, key);
    Matches(PROFILE_HANDLE, { message: '$property consists of small letters and digits in groups joined by "-"' })(
      target,
      key,
    );
  };
}

class KnowledgeConfigDto {
  @ApiPropertyOptional({ type: [String], description: 'Collections that it reads.' })
  @IsOptional()
  @IsArray()
  @ArrayMaxSize(50)
  @IsString({ each: true })
  read_collections?: string[];

  @ApiPropertyOptional({ description: 'The collection that it writes to.' })
  @IsOptional()
  @IsText(200, 1)
  write_collection?: string;

  @ApiPropertyOptional({ type: [String] })
  @IsOptional()
  @IsArray()
  @ArrayMaxSize(50)
  @IsString({ each: true })
  graph_namespaces?: string[];

  @ApiPropertyOptional()
  @IsOptional()
  @IsBoolean()
  auto_enrich?: boolean;

  @ApiPropertyOptional()
  @IsOptional()
  @IsBoolean()
  entity_resolution?: boolean;
}

class JournalConfigDto {
  @ApiPropertyOptional({ default: true })
  @IsOptional()
  @IsBoolean()
  auto_journal?: boolean;

  @ApiPropertyOptional({ enum: ['summary', 'detailed'], default: 'summary' })
  @IsOptional()
  @IsIn(['summary', 'detailed'])
  detail_level?: 'summary' | 'detailed';

  @ApiPropertyOptional({ type: 'integer', minimum: 1, maximum: 3650, default: 90 })
  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(3650)
  retention_days?: number;
}

class ProfileFieldsDto {
  @ApiPropertyOptional({ type: String, nullable: true, description: 'null = none.' })
  @IsNullable()
  @IsText(10_000)
  description?: string | null;

  @ApiPropertyOptional({
    type: String,
    nullable: true,
    description: 'An emoji, or the name of an icon; null = none.',
  })
  @IsNullable()
  @IsText(50)
  icon?: string | null;

  @ApiPropertyOptional({ default: true, description: 'One that is not active cannot be called and starts no runs.' })
  @IsOptional()
  @IsBoolean()
  is_active?: boolean;

  @ApiPropertyOptional({
    type: String,
    nullable: true,
    description: '`provider/model`; null = none.',
    example: 'openai/gpt-4o',
  })
  @IsNullable()
  @IsText(255, 3)
  @Matches(/^[^/\s]+\/\S+$/, { message: 'model_preference is written provider/model' })
  model_preference?: string | null;

  @ApiPropertyOptional({ type: 'integer', minimum: 1, maximum: 20, default: 3 })
  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(20)
  max_research_rounds?: number;

  @ApiPropertyOptional({
    type: String,
    nullable: true,
    description: 'What a model is told beside the platform’s own instructions; null = nothing.',
  })
  @IsNullable()
  @IsText(50_000)
  system_prompt_additions?: string | null;

  @ApiPropertyOptional({ type: KnowledgeConfigDto })
  @IsOptional()
  @IsPart(() => KnowledgeConfigDto)
  knowledge_config?: KnowledgeConfigDto;

  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: true,
    description: 'Where results go, as `output` of a playbook.',
  })
  @IsOptional()
  @IsDocument(LONGEST_CONFIG)
  output_config?: JsonObject;

  @ApiPropertyOptional({ type: JournalConfigDto })
  @IsOptional()
  @IsPart(() => JournalConfigDto)
  journal_config?: JournalConfigDto;

  @ApiPropertyOptional({ enum: EXECUTION_MODES, default: 'hybrid' })
  @IsOptional()
  @IsIn(EXECUTION_MODES)
  default_execution_mode?: string;

  @ApiPropertyOptional({ enum: RUN_CONTEXTS, default: 'interactive' })
  @IsOptional()
  @IsIn(RUN_CONTEXTS)
  default_run_context?: string;

  @ApiPropertyOptional({ enum: APPROVAL_POLICIES, default: 'require' })
  @IsOptional()
  @IsIn(APPROVAL_POLICIES)
  default_approval_policy?: string;
}

export class CreateProfileDto extends ProfileFieldsDto {
  @ApiProperty({ pattern: PROFILE_HANDLE.source, maxLength: 100, example: 'nonprofit-investigator' })
  @IsProfileHandle()
  handle!: string;

  @ApiProperty({ example: 'Nonprofit Investigator' })
  @IsText(255, 1)
  name!: string;
}

/** A field that is left out stays as it is. */
export class UpdateProfileDto extends PartialType(CreateProfileDto, { skipNullProperties: false }) {}

export class DuplicateProfileDto {
  @ApiProperty({
    example: 'second-investigator',
    pattern: PROFILE_HANDLE.source,
    maxLength: 100,
    description: 'Handle of the copy.',
  })
  @IsProfileHandle()
  handle!: string;

  @ApiPropertyOptional({ description: 'Left out: the name of the original.' })
  @IsOptional()
  @IsText(255, 1)
  name?: string;
}

export class ProfileDto {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty({ format: 'uuid' })
  owner_id!: string;

  @ApiProperty({ enum: ['user', 'team'], description: '`team`: another’s, shared with a team of yours.' })
  owner!: 'user' | 'team';

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

  @ApiPropertyOptional()
  model_preference?: string;

  @ApiProperty({ type: 'integer' })
  max_research_rounds!: number;

  @ApiPropertyOptional({ description: 'Shown to its owner alone, as the three configurations.' })
  system_prompt_additions?: string;

  @ApiPropertyOptional({ type: 'object', additionalProperties: true })
  knowledge_config?: JsonObject;

  @ApiPropertyOptional({ type: 'object', additionalProperties: true })
  output_config?: JsonObject;

  @ApiPropertyOptional({ type: 'object', additionalProperties: true })
  journal_config?: JsonObject;

  @ApiProperty({ enum: EXECUTION_MODES })
  default_execution_mode!: string;

  @ApiProperty({ enum: RUN_CONTEXTS })
  default_run_context!: string;

  @ApiProperty({ enum: APPROVAL_POLICIES })
  default_approval_policy!: string;

  @ApiProperty({ format: 'date-time' })
  created_at!: string;

  @ApiProperty({ format: 'date-time' })
  updated_at!: string;
}

export class ProfileListDto {
  @ApiProperty({ type: [ProfileDto] })
  items!: ProfileDto[];

  @ApiPropertyOptional()
  next_cursor?: string;
}
