import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { RUN_STATUSES, type RunStatus } from '../../../core/base/run-status';
import { EventBase } from './event-payloads.dto';

export class ModelCallEvent extends EventBase {
  @ApiProperty()
  step_path!: string;

  @ApiProperty({ type: 'integer', minimum: 1, description: 'Ordinal of the call inside its step.' })
  call_no!: number;

  @ApiProperty()
  provider!: string;

  @ApiProperty()
  model!: string;

  @ApiPropertyOptional({ type: 'integer', nullable: true })
  input_tokens?: number | null;

  @ApiPropertyOptional({ type: 'integer', nullable: true })
  output_tokens?: number | null;

  @ApiPropertyOptional({ type: 'number', nullable: true, description: 'US dollars; null when the price is not known.' })
  cost_usd?: number | null;

  @ApiProperty({ example: 'ok' })
  outcome!: string;

  @ApiProperty({ type: 'integer' })
  latency_ms!: number;
}

export class ChildStartedEvent extends EventBase {
  @ApiProperty()
  step_path!: string;

  @ApiProperty({ format: 'uuid', description: 'The child run.' })
  runId!: string;
}

export class ChildFinishedEvent extends EventBase {
  @ApiProperty()
  step_path!: string;

  @ApiProperty({ format: 'uuid', description: 'The child run.' })
  child!: string;

  @ApiProperty({ enum: RUN_STATUSES })
  status!: RunStatus;
}

export class ApprovalRequestedEvent extends EventBase {
  @ApiProperty({ format: 'uuid' })
  approvalId!: string;

  @ApiProperty()
  step_path!: string;

  @ApiProperty()
  prompt!: string;

  @ApiPropertyOptional({ format: 'date-time' })
  due_at?: string;
}

export class ApprovalDecidedEvent extends EventBase {
  @ApiProperty({ format: 'uuid' })
  approvalId!: string;

  @ApiProperty({ enum: ['approved', 'rejected', 'skipped', 'auto_approved', 'timed_out', 'cancelled'] })
  decision!: string;

  @ApiProperty({ description: 'User, `policy` or `temporal-operator`.' })
  decided_by!: string;

  @ApiProperty({ enum: ['api', 'cli', 'signal', 'policy', 'link', 'timeout'] })
  via!: string;
}

/** Always the last event of a run, whatever its end. */
export class CompleteEvent extends EventBase {
  @ApiProperty({ enum: RUN_STATUSES })
  status!: RunStatus;

  @ApiPropertyOptional()
  code?: string;

  @ApiPropertyOptional()
  summary?: string;
}
