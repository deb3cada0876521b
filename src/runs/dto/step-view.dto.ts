import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ApiAnyJson } from '../../http/any-json';
import type { Json } from '../../../core/base/json';
import { RUN_STATUSES, type RunStatus } from '../../../core/base/run-status';
import { GapDto } from '../../shared/shortfall.dto';
import { EventErrorDto, StepErrorDto, WaitDto } from '../events/event-parts.dto';

export const STEP_STATES = ['running', 'waiting', 'ok', 'failed', 'cancelled', 'skipped'] as const;

/** One place of the run: a step, with its item and iteration indexes. */
export class StepDto {
  @ApiProperty({ description: 'Name of the step in the playbook.' })
  step!: string;

  @ApiProperty({ example: 'review_each[3]/parse' })
  step_path!: string;

  @ApiPropertyOptional()
  action?: string;

  @ApiProperty({ enum: STEP_STATES })
  status!: (typeof STEP_STATES)[number];

  @ApiProperty({ type: 'integer', description: 'Tries that the playbook asked for.' })
  tries!: number;

  @ApiPropertyOptional({
    type: 'integer',
    description: 'Requests to its source, all tries together: pages and repeats.',
  })
  requests?: number;

  @ApiPropertyOptional({ type: 'integer', description: 'Those of them that failed.' })
  requests_failed?: number;

  @ApiPropertyOptional({ description: 'Why it was skipped or what it waits for.' })
  reason?: string;

  @ApiPropertyOptional({
    description: 'Why it was skipped, in words: its condition, and values of it that are missing or cannot be used.',
  })
  message?: string;

  @ApiPropertyOptional({ format: 'date-time' })
  started_at?: string;

  @ApiPropertyOptional({ format: 'date-time' })
  finished_at?: string;

  @ApiPropertyOptional({ type: 'integer' })
  duration_ms?: number;

  @ApiPropertyOptional({ type: 'integer', description: 'Bytes of the result as JSON.' })
  size?: number;

  @ApiAnyJson('Beginning of the result.')
  output_preview?: unknown;

  @ApiPropertyOptional({ type: [GapDto], description: 'Gaps of the result. Absent: nothing is missing.' })
  incomplete?: GapDto[];

  @ApiPropertyOptional({ type: EventErrorDto, description: 'The last error, also of a step that succeeded later.' })
  error?: EventErrorDto;

  @ApiPropertyOptional({
    format: 'uuid',
    description: 'The run whose result was taken over by a retry: the step was not carried out again.',
  })
  copied_from?: string;
}

export class StepChildDto {
  @ApiProperty({ format: 'uuid' })
  runId!: string;

  @ApiProperty({ enum: RUN_STATUSES })
  status!: RunStatus;

  @ApiProperty()
  playbook!: string;
}

/** A step with what is known of it beside the event log. */
export class StepRowDto extends StepDto {
  @ApiProperty({
    type: 'integer',
    description: 'How often a worker took it up, all tries together; 0 for inline steps.',
  })
  attempts!: number;

  @ApiProperty({ type: 'integer', description: 'How many of those workers were lost.' })
  losses!: number;

  @ApiProperty({ type: 'integer', description: 'How often a request with an effect was sent for it.' })
  effects_sent!: number;

  @ApiPropertyOptional({ type: WaitDto, description: 'What the run waits for here.' })
  wait?: WaitDto;

  @ApiProperty({ type: [StepChildDto], description: 'Runs that it started.' })
  children!: StepChildDto[];
}

export class StepListDto {
  @ApiProperty({ type: [StepRowDto] })
  items!: StepRowDto[];

  @ApiPropertyOptional()
  next_cursor?: string;
}

/** One try of a step that an activity carried out. */
export class StepTryDto {
  @ApiProperty()
  step_path!: string;

  @ApiProperty({ type: 'integer' })
  try_no!: number;

  @ApiPropertyOptional()
  action?: string;

  @ApiPropertyOptional({ enum: ['ok', 'failed'], description: 'Absent while it runs, or while it is not known.' })
  status?: 'ok' | 'failed';

  @ApiAnyJson('What the step was called with.')
  input?: Json;

  @ApiAnyJson('The result; large parts of it are null here and named in `omitted`.')
  output?: Json;

  @ApiPropertyOptional({
    type: [String],
    description: 'Fields of the result that are too large to show; "" = the whole result.',
  })
  omitted?: string[];

  @ApiPropertyOptional({ type: StepErrorDto })
  error?: StepErrorDto;

  @ApiProperty({ format: 'date-time' })
  started_at!: string;

  @ApiPropertyOptional({ format: 'date-time' })
  finished_at?: string;

  @ApiProperty({ type: 'integer', description: 'How often a worker took it up.' })
  attempts!: number;

  @ApiProperty({ type: 'integer', description: 'How many of those workers were lost.' })
  losses!: number;

  @ApiPropertyOptional({ enum: ['idempotent', 'keyed', 'unsafe'] })
  effect?: string;

  @ApiPropertyOptional({ description: 'Target of the effect.' })
  effect_target?: string;

  @ApiProperty({ type: 'integer' })
  effect_sent_count!: number;

  @ApiPropertyOptional({ format: 'uuid', description: 'The run whose result was taken over by a retry.' })
  copied_from?: string;
}

export class StepTriesDto {
  @ApiProperty({ type: [StepTryDto] })
  items!: StepTryDto[];
}
