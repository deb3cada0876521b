import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsObject } from 'class-validator';
import { RUN_STATUSES, type RunStatus } from '../../../core/base/run-status';
import type { JsonObject } from '../../../core/base/json';
import { IsOptional, IsText } from '../../http/fields';
import { PLAYBOOK_INPUTS_EXAMPLE } from '../../shared/definition-examples';

export const OUTCOMES = ['done', 'not_done', 'repeat'] as const;

export class RetryRunDto {
  @ApiPropertyOptional({
    description:
      'Name of the top-level step to begin with, or of an item of a list (`each[3]`): where a part of it did not succeed, the run goes on there; where all of it succeeded, it and everything behind it run again, under new effect keys. Absent = the first step that did not succeed.',
  })
  @IsOptional()
  @IsText(200, 1)
  from_step?: string;

  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: true,
    description: 'Edited inputs of that step; absent = as written.',
  })
  @IsOptional()
  @IsObject()
  inputs?: JsonObject;

  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: true,
    example: PLAYBOOK_INPUTS_EXAMPLE,
    description:
      'Inputs of the playbook that replace those of the run: the whole playbook begins again, nothing is taken over. Not together with `from_step` or `inputs`.',
  })
  @IsOptional()
  @IsObject()
  with?: JsonObject;
}

export class ResolveStepDto {
  @ApiProperty({ example: 'notify[2]/send' })
  @IsText(1000, 1)
  step_path!: string;

  @ApiProperty({
    enum: OUTCOMES,
    description: 'What a person found out: it was done, it was not done, or: send it again.',
  })
  @IsIn(OUTCOMES)
  outcome!: (typeof OUTCOMES)[number];
}

export class ControlAnswerDto {
  @ApiProperty({ format: 'uuid' })
  runId!: string;

  @ApiProperty({
    enum: RUN_STATUSES,
    description: 'The status at this moment; it changes once the command has been carried out.',
  })
  status!: RunStatus;

  @ApiProperty({ enum: ['run', 'pause', 'cancel'] })
  control!: string;
}
