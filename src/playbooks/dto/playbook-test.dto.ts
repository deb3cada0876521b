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
      'Ask `rest_api` endpoints that only read, with your secrets, up to 20 times. All else stays stood in for.',
  })
  @IsOptional()
  @IsBoolean()
  live_reads?: boolean;

  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: true,
    description:
      'Step name, or path of one item, to the result that it shall give. Without one a result is made up from what the step is known to give.',
  })
  @IsOptional()
  @IsObject()
  samples?: { [step: string]: Json };

  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: { type: 'string', enum: [...DRY_DECISIONS] },
    description: 'Name of an approval step to what a person would say; one that is not named is approved.',
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
    description: 'No `on_error` is written, and it is `stop`: for this approval or effect, which rests on the result.',
  })
  stops_for?: string;

  @ApiPropertyOptional({ type: TestConditionDto })
  condition?: TestConditionDto;

  @ApiPropertyOptional({ type: 'object', additionalProperties: true, description: 'As they would be handed over.' })
  inputs?: JsonObject;

  @ApiPropertyOptional({ type: 'object', additionalProperties: true })
  params?: JsonObject;

  @ApiPropertyOptional({
    enum: ['none', 'transactional', 'idempotent', 'keyed', 'unsafe'],
    description: 'What the step would do outside; nothing of it was done.',
  })
  effect?: string;

  @ApiAnyJson('The result that stood in for the real one.')
  output?: Json;

  @ApiPropertyOptional({
    enum: ['computed', 'live', 'sample', 'shape'],
    description:
      '`computed`: the real result of a pure step; `live`: asked of the source; `sample`: yours; `shape`: made up.',
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

  @ApiProperty({ enum: [...DRY_DECISIONS, 'auto_approved'], description: 'How the test went on here.' })
  decided_as!: string;

  @ApiPropertyOptional({ type: [ShortfallDto], description: 'What it rests on that is not there.' })
  failures?: ShortfallDto[];
}

export class TestDestinationDto {
  @ApiProperty()
  type!: string;

  @ApiProperty()
  format!: string;

  @ApiProperty({ type: 'object', additionalProperties: true })
  config!: JsonObject;

  @ApiPropertyOptional({ description: 'Its condition, which is false: nothing would go there.' })
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
