import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ApiAnyJson } from '../../http/any-json';
import type { Json } from '../../../core/base/json';
import { APPROVAL_STATUSES, type ApprovalStatus } from './decide.dto';

export class DecisionDto {
  @ApiProperty({ format: 'uuid' })
  decisionId!: string;

  @ApiProperty({ enum: ['received', 'counted', 'refused'] })
  state!: 'received' | 'counted' | 'refused';

  @ApiProperty({ enum: ['approve', 'reject'] })
  decision!: 'approve' | 'reject';

  @ApiPropertyOptional({ description: 'Why it was refused.' })
  code?: string;

  @ApiProperty()
  actor!: string;

  @ApiProperty({ enum: ['api', 'cli', 'signal', 'policy', 'link'] })
  via!: string;

  @ApiPropertyOptional()
  instructions?: string;

  @ApiAnyJson()
  edits?: Json;

  @ApiProperty({ format: 'date-time' })
  created_at!: string;

  @ApiPropertyOptional({ format: 'date-time' })
  settled_at?: string;
}

/** A request for a decision as lists show it. */
export class ApprovalSummaryDto {
  @ApiProperty({ format: 'uuid' })
  approvalId!: string;

  @ApiProperty({ format: 'uuid' })
  runId!: string;

  @ApiProperty()
  step!: string;

  @ApiProperty()
  step_path!: string;

  @ApiProperty({ enum: APPROVAL_STATUSES })
  status!: ApprovalStatus;

  @ApiProperty()
  prompt!: string;

  @ApiProperty({ format: 'date-time' })
  requested_at!: string;

  @ApiPropertyOptional({ format: 'date-time' })
  due_at?: string;

  @ApiPropertyOptional({ format: 'date-time' })
  decided_at?: string;

  @ApiPropertyOptional()
  decided_by?: string;
}

export class ApprovalListDto {
  @ApiProperty({ type: [ApprovalSummaryDto] })
  items!: ApprovalSummaryDto[];

  @ApiPropertyOptional()
  next_cursor?: string;
}

export const APPROVAL_ACTIONS = ['approve', 'reject', 'edit'] as const;
export type ApprovalAction = (typeof APPROVAL_ACTIONS)[number];

/** How the same gate of an earlier run of the playbook was decided: something to compare with. */
export class PreviousApprovalDto {
  @ApiProperty({ format: 'uuid' })
  approvalId!: string;

  @ApiProperty({ format: 'uuid' })
  runId!: string;

  @ApiProperty({ enum: APPROVAL_STATUSES })
  status!: ApprovalStatus;

  @ApiProperty({ format: 'date-time' })
  decided_at!: string;

  @ApiPropertyOptional()
  decided_by?: string;

  @ApiAnyJson('What the gated action was called with then.')
  inputs?: Json;

  @ApiPropertyOptional()
  digest?: string;
}

export class ApprovalDto extends ApprovalSummaryDto {
  @ApiAnyJson('The rows to look at, already limited.')
  preview?: Json;

  @ApiPropertyOptional({ type: 'integer', description: 'How many rows there are in all.' })
  preview_total?: number;

  @ApiAnyJson('The exact action behind the gate: {step, action, inputs, params}.')
  action?: Json;

  @ApiAnyJson('What the action will be called with.')
  inputs?: Json;

  @ApiPropertyOptional({ type: PreviousApprovalDto })
  previous?: PreviousApprovalDto;

  @ApiProperty({ enum: APPROVAL_ACTIONS, isArray: true, description: 'What may be done with it as it stands.' })
  allowed_actions!: ApprovalAction[];

  @ApiPropertyOptional({ description: 'SHA-256 of the action; send it back with the decision.' })
  digest?: string;

  @ApiAnyJson('JSON Schema of what `edits` may change.')
  edit_schema?: Json;

  @ApiProperty({ enum: ['stop', 'skip'] })
  on_reject!: string;

  @ApiProperty({ enum: ['stop', 'skip'] })
  on_timeout!: string;

  @ApiPropertyOptional()
  instructions?: string;

  @ApiAnyJson()
  edits?: Json;

  @ApiProperty({ type: [DecisionDto], description: 'Every decision that came in, those that did not count too.' })
  decisions!: DecisionDto[];
}

export class DecisionAnswerDto {
  @ApiProperty({ format: 'uuid' })
  approvalId!: string;

  @ApiProperty({ format: 'uuid' })
  decisionId!: string;

  @ApiProperty({
    enum: ['received', 'counted'],
    description: '`received`: kept; it is delivered as soon as a worker runs.',
  })
  state!: 'received' | 'counted';

  @ApiProperty({ enum: ['approve', 'reject'] })
  decision!: 'approve' | 'reject';
}
