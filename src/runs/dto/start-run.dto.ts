import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsUUID } from 'class-validator';
import type { JsonObject } from '../../../core/base/json';
import type { ApprovalPolicy, RunContext } from '../../../core/playbook/types';
import { IsOpaqueObject, IsOptional, IsText } from '../../http/fields';
import { PLAYBOOK_INPUTS_EXAMPLE } from '../../shared/definition-examples';
import { APPROVAL_POLICIES, RUN_CONTEXTS } from '../../shared/run-modes';

export class StartRunDto {
  @ApiProperty({ description: 'Id or slug of the playbook.', example: 'largest-first' })
  @IsText(200, 1)
  playbook!: string;

  @ApiPropertyOptional({
    description: 'Version id, number, or the version that the author wrote; absent = the latest.',
  })
  @IsOptional()
  @IsText(100, 1)
  version?: string;

  @ApiPropertyOptional({
    example: PLAYBOOK_INPUTS_EXAMPLE,
    type: 'object',
    additionalProperties: true,
    description: 'Checked against the inputs that the playbook declares; absent = none are given.',
    default: {},
  })
  @IsOptional()
  @IsOpaqueObject()
  inputs: JsonObject = {};

  @ApiPropertyOptional({ description: 'The question in plain words; inputs with `extract_from: query` come from it.' })
  @IsOptional()
  @IsText(10_000)
  query?: string;

  @ApiPropertyOptional({ enum: RUN_CONTEXTS })
  @IsOptional()
  @IsIn(RUN_CONTEXTS)
  run_context?: RunContext;

  @ApiPropertyOptional({ enum: APPROVAL_POLICIES })
  @IsOptional()
  @IsIn(APPROVAL_POLICIES)
  approval_policy?: ApprovalPolicy;

  @ApiPropertyOptional({ description: 'IANA zone in which `{today}` is taken.', example: 'Europe/Berlin' })
  @IsOptional()
  @IsText(100, 1)
  time_zone?: string;

  @ApiPropertyOptional({
    format: 'uuid',
    description: 'The agent profile that it is for: yours, or one that is shared with a team of yours.',
  })
  @IsOptional()
  @IsUUID('all')
  profile_id?: string;

  @ApiPropertyOptional({
    format: 'uuid',
    description: 'The team whose share you use; left out: the first that lets you run the profile.',
  })
  @IsOptional()
  @IsUUID('all')
  team_id?: string;
}
