import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ArrayMaxSize, IsArray, IsBoolean, IsIn, IsInt, IsNumber, IsString, IsUUID, Max, Min } from 'class-validator';
import type { JsonObject } from '../../../core/base/json';
import { IsDocument } from '../../http/document-field';
import { IsNullable, IsOptional, IsPart, IsText } from '../../http/fields';
import { IsSecretNames } from '../secret-names';

const LONGEST_CONFIG = 65_536;

export class BindingPermissionsDto {
  @ApiPropertyOptional({
    type: [String],
    description: 'The only endpoints that runs of the profile may call; left out: all of the connector.',
  })
  @IsOptional()
  @IsArray()
  @ArrayMaxSize(200)
  @IsString({ each: true })
  allowed_endpoints?: string[];

  @ApiPropertyOptional({ type: 'number', minimum: 0.01, maximum: 1000, description: 'Calls per second.' })
  @IsOptional()
  @IsNumber()
  @Min(0.01)
  @Max(1000)
  rate_limit_override?: number;
}

/** A field that is left out stays as it is, or is empty at first. */
export class ConnectorBindingFieldsDto {
  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: { type: 'object' },
    description: 'Names of your secrets by auth field; never values.',
    example: { api_key: { secret: 'fec_api_key' } },
  })
  @IsOptional()
  @IsSecretNames()
  credentials?: JsonObject;

  @ApiPropertyOptional({
    type: String,
    format: 'uuid',
    nullable: true,
    description: 'Your connection at the provider; null = none.',
  })
  @IsNullable()
  @IsUUID('all')
  connection_id?: string | null;

  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: true,
    description:
      'Changes of the connection: `base_url`, `endpoint_base_urls` (by endpoint), `token_url`, `timeout_seconds`.',
  })
  @IsOptional()
  @IsDocument(LONGEST_CONFIG)
  config_overrides?: JsonObject;

  @ApiPropertyOptional({ type: BindingPermissionsDto })
  @IsOptional()
  @IsPart(() => BindingPermissionsDto)
  permissions?: BindingPermissionsDto;

  @ApiPropertyOptional({ default: true })
  @IsOptional()
  @IsBoolean()
  is_enabled?: boolean;
}

export class BindConnectorDto extends ConnectorBindingFieldsDto {
  @ApiProperty({ description: 'Id or slug of a connector of yours.', example: 'fec-contributions' })
  @IsText(200, 1)
  connector!: string;
}

export class ConnectorBindingDto {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty({ format: 'uuid' })
  connector_id!: string;

  @ApiProperty()
  connector_slug!: string;

  @ApiProperty()
  connector_name!: string;

  @ApiPropertyOptional({ format: 'uuid' })
  connection_id?: string;

  @ApiProperty({ type: 'object', additionalProperties: true })
  credentials!: JsonObject;

  @ApiProperty({ type: 'object', additionalProperties: true })
  config_overrides!: JsonObject;

  @ApiProperty({ type: 'object', additionalProperties: true })
  permissions!: JsonObject;

  @ApiProperty()
  is_enabled!: boolean;

  @ApiProperty({ format: 'date-time' })
  created_at!: string;

  @ApiProperty({ format: 'date-time' })
  updated_at!: string;
}

export class ConnectorBindingListDto {
  @ApiProperty({ type: [ConnectorBindingDto] })
  items!: ConnectorBindingDto[];
}

export class SkillFieldsDto {
  @ApiPropertyOptional({
    example: 10,
    type: 'integer',
    minimum: -1000,
    maximum: 1000,
    default: 0,
    description: 'Higher comes first.',
  })
  @IsOptional()
  @IsInt()
  @Min(-1000)
  @Max(1000)
  priority?: number;

  @ApiPropertyOptional({ type: 'object', additionalProperties: true })
  @IsOptional()
  @IsDocument(LONGEST_CONFIG)
  parameters?: JsonObject;

  @ApiPropertyOptional({ default: true })
  @IsOptional()
  @IsBoolean()
  is_enabled?: boolean;
}

export class BindSkillDto extends SkillFieldsDto {
  @ApiProperty({ enum: ['built_in', 'playbook'] })
  @IsIn(['built_in', 'playbook'])
  skill_type!: 'built_in' | 'playbook';

  @ApiProperty({ description: 'Name of a built-in skill, or id or slug of a playbook of yours.', example: 'research' })
  @IsText(200, 1)
  skill_reference!: string;
}

export class SkillDto {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty({ enum: ['built_in', 'playbook'] })
  skill_type!: string;

  @ApiProperty({ description: 'The name of the built-in skill, or the id of the playbook.' })
  skill_reference!: string;

  @ApiPropertyOptional()
  playbook_slug?: string;

  @ApiPropertyOptional()
  playbook_name?: string;

  @ApiProperty({ type: 'integer' })
  priority!: number;

  @ApiProperty({ type: 'object', additionalProperties: true })
  parameters!: JsonObject;

  @ApiProperty()
  is_enabled!: boolean;

  @ApiProperty({ format: 'date-time' })
  created_at!: string;

  @ApiProperty({ format: 'date-time' })
  updated_at!: string;
}

export class SkillListDto {
  @ApiProperty({ type: [SkillDto] })
  items!: SkillDto[];
}
