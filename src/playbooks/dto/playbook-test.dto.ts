import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsBoolean, IsObject } from 'class-validator';
import type { Json, JsonObject } from '../../../core/base/json';
import { RUN_STATUSES, type RunStatus } from '../../../core/base/run-status';
import type { DryDecision } from '../../../core/dry-run/types';
import { ApiAnyJson } from '../../http/any-json';
import { IsOptional, IsText } from '../../http/fields';
import { ShortfallDto } from '../../shared/shortfall.dto';
import { RunWarningDto } from '../../shared/run-warning.dto';
import { PLAYBOOK_INPUTS_EXAMPLE } from '../../shared/definition-examples';

export const DRY_DECISIONS = ['approved', 'rejected', 'timed_out'] as const;

export class TestPlaybookDto {
  @ApiPropertyOptional({ description: 'Version number, or the version that the author wrote; absent = the latest.' })
  @IsOptional()
  @IsText(100, 1)
  version?: string;

  @ApiPropertyOptional({
    example: PLAYBOOK_INPUTS_EXAMPLE,
    type: 'object',
    additionalProperties: true,
    description: 'As for a run.',
  })
  @IsOptional()
  @IsObject()
  inputs?: JsonObject;

  @ApiPropertyOptional()
  @IsOptional()
  @IsText(20_000)
  query?: string;

  @ApiPropertyOptional({ description: 'IANA time zone.' })
  @IsOptional()
  @IsText(100, 1)
  time_zone?: string;

  @ApiPropertyOptional({
    default: false,
    description:
      'Ask `rest_api` endpoints that only read, with your secrets, up to 20 times. Everything else is replaced by stand-ins.',
  })
  @IsOptional()
  @IsBoolean()
  live_reads?: boolean;

  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: true,
    description:
      'Result to use for each step, by its name or by the path of one item. Without one a result is invented from the known shape.',
  })
  @IsOptional()
  @IsObject()
  samples?: { [step: string]: Json };

  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: { type: 'string', enum: [...DRY_DECISIONS] },
    description: 'Decision to assume for each approval step, by its name; a step that is not named is approved.',
  })
  @IsOptional()
  @IsObject()
  decisions?: { [gate: string]: DryDecision };
}

export class TestConditionDto {
  @ApiProperty()
  text!: string;

  @ApiProperty()
  result!: boolean;
}

export class TestErrorDto {
  @ApiProperty()
  code!: string;

  @ApiProperty()
  message!: string;
}

export class TestStepDto {
  @ApiProperty()
  step!: string;

  @ApiProperty()
  step_path!: string;

  @ApiProperty({ enum: ['tool', 'llm_task', 'approval', 'parallel', 'for_each', 'loop', 'route', 'run_playbook'] })
  kind!: string;

  @ApiPropertyOptional({ description: 'Of a `run_playbook` step: the playbook.' })
  action?: string;

  @ApiProperty({ enum: ['ok', 'failed', 'skipped'] })
  status!: string;

  @ApiPropertyOptional({
    description:
      'The step has no `on_error`, and a failure stops the run: because of this approval or effect, which depends on its result.',
  })
  stops_for?: string;

  @ApiPropertyOptional({ type: TestConditionDto })
  condition?: TestConditionDto;

  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: true,
    description: 'Inputs as they would be given to the step.',
  })
  inputs?: JsonObject;

  @ApiPropertyOptional({ type: 'object', additionalProperties: true })
  params?: JsonObject;

  @ApiPropertyOptional({
    enum: ['none', 'transactional', 'idempotent', 'keyed', 'unsafe'],
    description: 'What the step would do outside; nothing of it was done.',
  })
  effect?: string;

  @ApiAnyJson('Result that was used instead of the real one.')
  output?: Json;

  @ApiPropertyOptional({
    enum: ['computed', 'live', 'sample', 'shape'],
    description:
      '`computed`: the real result of a pure step; `live`: read from the source; `sample`: given by you; `shape`: invented.',
  })
  source?: string;

  @ApiPropertyOptional({ description: 'Why it was not read live although `live_reads` was asked for.' })
  not_live?: string;

  @ApiPropertyOptional({ description: 'Why it was skipped.' })
  reason?: string;

  @ApiPropertyOptional({ description: 'The same in words.' })
  message?: string;

  @ApiPropertyOptional({ type: TestErrorDto })
  error?: TestErrorDto;
}

export class TestApprovalDto {
  @ApiProperty()
  step!: string;

  @ApiProperty()
  step_path!: string;

  @ApiProperty()
  prompt!: string;

  @ApiAnyJson('The rows that would be shown.')
  preview?: Json;

  @ApiPropertyOptional({ type: 'integer' })
  preview_total?: number;

  @ApiAnyJson('The exact action behind the gate: {step, action, inputs, params}.')
  action?: Json;

  @ApiProperty({ enum: ['stop', 'skip'] })
  on_reject!: string;

  @ApiProperty({ enum: ['stop', 'skip'] })
  on_timeout!: string;

  @ApiProperty({ enum: [...DRY_DECISIONS, 'auto_approved'], description: 'Decision that the test assumed here.' })
  decided_as!: string;

  @ApiPropertyOptional({ type: [ShortfallDto], description: 'Missing data that it depends on.' })
  failures?: ShortfallDto[];
}

export class TestDestinationDto {
  @ApiProperty()
  type!: string;

  @ApiProperty()
  format!: string;

  @ApiProperty({ type: 'object', additionalProperties: true })
  config!: JsonObject;

  @ApiPropertyOptional({ description: 'Its condition, which is false: nothing would be written there.' })
  skipped?: string;
}

export class TestReportDto {
  @ApiPropertyOptional({ type: [RunWarningDto], description: 'What will go wrong, known before it begins.' })
  warnings?: RunWarningDto[];

  @ApiProperty({ enum: RUN_STATUSES, description: 'How a run with these results would end.' })
  status!: RunStatus;

  @ApiPropertyOptional()
  code?: string;

  @ApiPropertyOptional()
  message?: string;

  @ApiProperty({ type: [TestStepDto], description: 'In the order in which they would be done.' })
  steps!: TestStepDto[];

  @ApiProperty({ type: [TestApprovalDto], description: 'Where a run would stop and ask.' })
  approvals!: TestApprovalDto[];

  @ApiProperty({ type: [TestDestinationDto], description: 'Where the output would go.' })
  destinations!: TestDestinationDto[];

  @ApiProperty({ type: 'object', additionalProperties: true })
  outputs!: JsonObject;

  @ApiPropertyOptional()
  summary?: string;

  @ApiProperty({ description: 'False: it would do more than 1,000 steps, and the test ended there.' })
  finished!: boolean;
}
