import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ApiAnyJson } from '../../http/any-json';
import { RUN_STATUSES, type RunStatus } from '../../../core/base/run-status';
import { EventBase } from './event-payloads.dto';
import { EditedStepDto } from '../../shared/edited-step.dto';
import { ShortfallDto } from '../../shared/shortfall.dto';

export class ModelCallEvent extends EventBase {
  @ApiProperty()
  step_path!: string;

  @ApiPropertyOptional()
  step?: string;

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
  @ApiPropertyOptional()
  step?: string;

  @ApiProperty()
  step_path!: string;

  @ApiProperty({ format: 'uuid', description: 'The child run.' })
  child!: string;

  @ApiProperty({ description: 'Slug of the playbook that it carries out.' })
  playbook!: string;
}

export class ChildFinishedEvent extends EventBase {
  @ApiPropertyOptional()
  step?: string;

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
  step!: string;

  @ApiProperty()
  step_path!: string;

  @ApiProperty()
  prompt!: string;

  @ApiPropertyOptional({ type: [ShortfallDto], description: 'Missing data that it depends on.' })
  failures?: ShortfallDto[];

  @ApiPropertyOptional({ type: [EditedStepDto], description: 'Steps that an approval permits with edited inputs.' })
  edited?: EditedStepDto[];

  @ApiPropertyOptional({ format: 'date-time' })
  due_at?: string;
}

export class ApprovalDecidedEvent extends EventBase {
  @ApiProperty({ format: 'uuid' })
  approvalId!: string;

  @ApiProperty()
  step!: string;

  @ApiProperty()
  step_path!: string;

  @ApiProperty({ enum: ['approved', 'rejected', 'skipped', 'auto_approved', 'timed_out', 'cancelled'] })
  decision!: string;

  @ApiPropertyOptional({ type: String, format: 'uuid', nullable: true })
  decisionId?: string | null;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'User, `policy` or `temporal-operator`; null when nobody decided.',
  })
  decided_by!: string | null;

  @ApiProperty({ enum: ['api', 'cli', 'signal', 'policy', 'link', 'timer', 'run_closed', 'retry'] })
  via!: string;

  @ApiPropertyOptional({ type: String, nullable: true })
  instructions?: string | null;

  @ApiAnyJson('Inputs that the decider changed.')
  edits?: unknown;
}

/** An approval that is not enough alone. */
export class ApprovalCountedEvent extends EventBase {
  @ApiProperty({ format: 'uuid' })
  approvalId!: string;

  @ApiProperty()
  step!: string;

  @ApiProperty()
  step_path!: string;

  @ApiProperty({ format: 'uuid' })
  decisionId!: string;

  @ApiProperty()
  decided_by!: string;

  @ApiProperty({ enum: ['api', 'cli', 'link'] })
  via!: string;

  @ApiProperty({ type: 'integer', description: 'Approvals so far.' })
  approvals!: number;

  @ApiProperty({ type: 'integer', description: 'Approvals that are needed.' })
  quorum!: number;
}

/** Event of a waiting request beside decisions. */
export class ApprovalActEvent extends EventBase {
  @ApiProperty({ format: 'uuid' })
  approvalId!: string;

  @ApiProperty()
  step!: string;

  @ApiProperty()
  step_path!: string;

  @ApiProperty({ description: 'Handle, or `timer`.' })
  by!: string;

  @ApiPropertyOptional({ description: 'Handle of the person it was given to.' })
  to?: string;

  @ApiPropertyOptional({ description: 'Digest that a decision has to name from now on.' })
  digest?: string;
}

/** Always the last event of a run, whatever its end. */
export class CompleteEvent extends EventBase {
  @ApiProperty({ enum: RUN_STATUSES })
  status!: RunStatus;

  @ApiPropertyOptional()
  code?: string;

  @ApiPropertyOptional()
  message?: string;

  @ApiPropertyOptional()
  summary?: string;
}
