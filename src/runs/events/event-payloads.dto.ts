import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ApiAnyJson } from '../../http/any-json';
import { RUN_STATUSES, type RunStatus } from '../../../core/base/run-status';
import { EffectNoteDto, StepErrorDto, WaitDto } from './event-parts.dto';

/** Every event says when the database accepted it. */
export class EventBase {
  @ApiProperty({ format: 'date-time' })
  at!: string;
}

export class StepEventBase extends EventBase {
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

  @ApiProperty({ type: StepErrorDto })
  error!: StepErrorDto;
}

export class StepWaitingEvent extends StepEventBase {
  @ApiProperty({ example: 'approval' })
  reason!: string;

  @ApiProperty({ format: 'date-time' })
  since!: string;

  @ApiPropertyOptional({ format: 'date-time' })
  until?: string;
}

export class StepFinishedEvent extends StepEventBase {
  @ApiProperty({ enum: ['ok', 'failed'] })
  status!: 'ok' | 'failed';

  @ApiProperty({ type: 'integer', minimum: 1 })
  try_no!: number;

  @ApiProperty({ type: 'integer', description: 'Milliseconds.' })
  duration_ms!: number;

  @ApiAnyJson('Beginning of the result, as far as it is small.')
  output_preview?: unknown;

  @ApiProperty({ type: 'integer', description: 'Bytes of the result as JSON.' })
  size!: number;
}

export class StepSkippedEvent extends StepEventBase {
  @ApiProperty({ example: 'condition_false' })
  reason!: string;
}

export class EffectSentEvent extends EffectNoteDto {
  @ApiProperty({ description: 'What the request goes to.' })
  target!: string;

  @ApiProperty({ enum: ['idempotent', 'keyed', 'unsafe'] })
  effect!: 'idempotent' | 'keyed' | 'unsafe';
}

export class EffectRecordedEvent extends EffectNoteDto {}
