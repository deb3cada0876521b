import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ApiAnyJson } from '../../http/any-json';
import { RUN_STATUSES, type RunStatus } from '../../../core/base/run-status';
import { EffectNoteDto, EventErrorDto, WaitDto } from './event-parts.dto';
import { GapDto } from '../../shared/shortfall.dto';

/** Every event says when the database accepted it. */
export class EventBase {
  @ApiProperty({ format: 'date-time' })
  at!: string;
}

class StepEventBase extends EventBase {
  @ApiProperty({ description: 'Name of the step in the playbook.' })
  step!: string;

  @ApiProperty({ description: 'Place in the run, with item and iteration indexes.', example: 'review_each[3]/parse' })
  step_path!: string;
}

export class RunStatusEvent extends EventBase {
  @ApiProperty({ enum: RUN_STATUSES })
  status!: RunStatus;

  @ApiPropertyOptional()
  code?: string;

  @ApiPropertyOptional()
  message?: string;

  @ApiProperty({ type: [WaitDto] })
  waits!: WaitDto[];
}

export class StepStartedEvent extends StepEventBase {
  @ApiProperty()
  action!: string;

  @ApiProperty({
    type: 'integer',
    minimum: 1,
    description: '1, then one more for every retry that the playbook asked for.',
  })
  try_no!: number;

  @ApiProperty({
    type: 'integer',
    minimum: 1,
    description: 'Grows when a worker was lost and the same try was taken up again.',
  })
  attempt!: number;
}

export class StepAttemptFailedEvent extends StepEventBase {
  @ApiProperty({ type: 'integer', minimum: 1 })
  try_no!: number;

  @ApiProperty({ type: EventErrorDto })
  error!: EventErrorDto;
}

export class StepWaitingEvent extends StepEventBase {
  @ApiProperty({
    example: 'approval',
    description:
      '`approval`, `retry`, `attention`, or why a source is waited for: `rate_limited`, `quota_used_up`, `source_busy`.',
  })
  reason!: string;

  @ApiProperty({ format: 'date-time' })
  since!: string;

  @ApiPropertyOptional({ format: 'date-time' })
  until?: string;

  @ApiPropertyOptional({ description: 'Origin of the source that is waited for.' })
  source?: string;

  @ApiPropertyOptional({ type: 'integer', description: 'The try that failed, when the wait is for a retry.' })
  try_no?: number;

  @ApiPropertyOptional({ type: EventErrorDto, description: 'Why it is tried again.' })
  error?: EventErrorDto;

  @ApiPropertyOptional({ description: 'Why a person has to look.' })
  code?: string;

  @ApiPropertyOptional()
  message?: string;
}

export class StepFinishedEvent extends StepEventBase {
  @ApiProperty({ enum: ['ok', 'failed', 'cancelled'], description: '`cancelled`: the run ended before it did.' })
  status!: 'ok' | 'failed' | 'cancelled';

  @ApiProperty({ type: 'integer', minimum: 1 })
  try_no!: number;

  @ApiPropertyOptional({ description: 'Carried out inside the workflow, without an activity.' })
  inline?: boolean;

  @ApiPropertyOptional({ format: 'date-time' })
  started_at?: string;

  @ApiPropertyOptional({ type: 'integer', description: 'Milliseconds.' })
  duration_ms?: number;

  @ApiAnyJson('Beginning of the result, about 500 bytes; absent where it lies outside as a whole.')
  output_preview?: unknown;

  @ApiPropertyOptional({ type: 'integer', description: 'Bytes of the result as JSON.' })
  size?: number;

  @ApiPropertyOptional({ type: [GapDto], description: 'Gaps of the result. Absent: nothing is missing.' })
  incomplete?: GapDto[];

  @ApiPropertyOptional({ type: EventErrorDto, description: 'Of a step that failed.' })
  error?: EventErrorDto;

  @ApiPropertyOptional({ enum: ['skip', 'stop', 'retry'], description: 'What the playbook says about the failure.' })
  on_error?: string;
}

export class StepSkippedEvent extends StepEventBase {
  @ApiProperty({ enum: ['condition', 'not_available'] })
  reason!: string;

  @ApiPropertyOptional({
    description: 'Why, in words: values of the condition that are missing or cannot be used.',
  })
  message?: string;

  @ApiPropertyOptional({ description: 'The condition that was not met, as written.' })
  condition?: string;
}

export class EffectSentEvent extends EffectNoteDto {
  @ApiProperty({ description: 'Target of the request.' })
  target!: string;

  @ApiProperty({ enum: ['idempotent', 'keyed', 'unsafe'] })
  effect!: 'idempotent' | 'keyed' | 'unsafe';
}

export class SourceCalledEvent extends StepEventBase {
  @ApiProperty()
  connector!: string;

  @ApiProperty()
  endpoint!: string;

  @ApiProperty({ example: 'ok', description: '`ok`, or the code of what went wrong.' })
  outcome!: string;

  @ApiProperty({ type: 'integer', description: 'Requests that were sent: pages and repeats.' })
  requests!: number;

  @ApiProperty({ type: 'integer' })
  requests_failed!: number;

  @ApiProperty({ type: 'integer', description: 'Answers from the cache.' })
  from_cache!: number;

  @ApiPropertyOptional({
    type: 'integer',
    description: 'Age of the stored answer that was used because the source failed.',
  })
  stale_seconds?: number;

  @ApiPropertyOptional({ type: [String], description: 'Statements of the source that could not be read' })
  warnings?: string[];
}

export class DriftDto {
  @ApiProperty({
    enum: ['missing', 'absent', 'type', 'new'],
    description: 'In no record; not in every record though required; of another type; not declared.',
  })
  kind!: 'missing' | 'absent' | 'type' | 'new';

  @ApiProperty()
  field!: string;

  @ApiPropertyOptional()
  declared?: string;

  @ApiPropertyOptional()
  seen?: string;
}

export class SourceDriftEvent extends StepEventBase {
  @ApiProperty()
  connector!: string;

  @ApiProperty()
  endpoint!: string;

  @ApiProperty({ type: 'integer', description: 'Records that were compared with `output_schema`.' })
  records!: number;

  @ApiProperty({ type: [DriftDto], description: 'The first of them.' })
  differences!: DriftDto[];

  @ApiProperty({ type: 'integer', description: 'All differences.' })
  count!: number;
}

export class EffectRecordedEvent extends EffectNoteDto {}
