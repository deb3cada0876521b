import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ArrayMaxSize, ArrayMinSize, ArrayUnique, IsIn, IsObject, IsUUID, Matches } from 'class-validator';
import type { Json, JsonObject } from '../../../core/base/json';
import { ApiAnyJson } from '../../http/any-json';
import { IsOptional, IsPartList, sameId } from '../../http/fields';
import { EditedStepDto } from '../../shared/edited-step.dto';
import { ShortfallDto } from '../../shared/shortfall.dto';
import { DecideDto } from './decide.dto';

const MOST_DECISIONS = 50;

export class DueApprovalDto {
  @ApiProperty({ format: 'uuid' })
  approvalId!: string;

  @ApiProperty({ format: 'uuid' })
  runId!: string;

  @ApiProperty()
  step!: string;

  @ApiProperty()
  prompt!: string;

  @ApiPropertyOptional({
    type: [ShortfallDto],
    description: 'Missing data that the question, its preview or the action depends on. Absent: nothing is missing.',
  })
  failures?: ShortfallDto[];

  @ApiPropertyOptional({ type: [EditedStepDto], description: 'Steps that an approval permits with edited inputs.' })
  edited?: EditedStepDto[];

  @ApiProperty({ format: 'date-time' })
  requested_at!: string;

  @ApiPropertyOptional({ format: 'date-time' })
  due_at?: string;
}

export class ApprovalCountsDto {
  @ApiProperty({ type: 'integer' })
  waiting!: number;

  @ApiProperty({ type: 'integer' })
  approved!: number;

  @ApiProperty({ type: 'integer' })
  rejected!: number;

  @ApiProperty({ type: 'integer' })
  timed_out!: number;

  @ApiProperty({ type: 'integer' })
  cancelled!: number;

  @ApiProperty({ type: 'integer' })
  auto_approved!: number;
}

export class InboxSummaryDto {
  @ApiProperty({
    type: ApprovalCountsDto,
    description: 'Waiting: all of them; the others: of the last 30 days. Nothing is counted beyond 10,000.',
  })
  counts!: ApprovalCountsDto;

  @ApiPropertyOptional({ type: DueApprovalDto, description: 'Request that has waited longest.' })
  oldest?: DueApprovalDto;

  @ApiProperty({
    type: [DueApprovalDto],
    description: 'Those whose time is up within 24 hours, the next first; at most 20.',
  })
  due_soon!: DueApprovalDto[];
}

export class PreviewPageDto {
  @ApiProperty({ type: 'array', items: {} })
  items!: Json[];

  @ApiPropertyOptional({ type: 'integer', description: 'How many rows there are in all.' })
  total?: number;

  @ApiProperty({
    description:
      'False: only the rows that the request keeps can be shown, because the step before ran inside the workflow.',
  })
  complete!: boolean;

  @ApiPropertyOptional()
  next_cursor?: string;
}

export class CheckEditsDto {
  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: true,
    description: 'Changed inputs of the gated action.',
  })
  @IsOptional()
  @IsObject()
  edits?: JsonObject;

  // The digest of `DecideDto`: without it the answer says that the decision would be refused.
  @ApiProperty({
    example: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    description: 'The `digest` that the approval showed.',
  })
  @IsOptional()
  @Matches(/^[0-9a-f]{64}$/, { message: 'digest must be 64 lower-case hexadecimal digits' })
  digest?: string;
}

export class CheckFindingDto {
  @ApiProperty({ example: 'invalid_edits' })
  code!: string;

  @ApiProperty()
  message!: string;
}

export class CheckAnswerDto {
  @ApiProperty({ description: 'A decision with these edits would be accepted now.' })
  valid!: boolean;

  @ApiProperty({ type: [CheckFindingDto] })
  problems!: CheckFindingDto[];

  @ApiAnyJson('The inputs as they would be: those shown, with the edits in their place.')
  inputs?: Json;
}

export class BulkDecisionDto extends DecideDto {
  @ApiProperty({ example: '0f8fad5b-d9cb-469f-a165-70867728950e', format: 'uuid' })
  @IsUUID('all')
  approvalId!: string;

  @ApiProperty({ enum: ['approve', 'reject'] })
  @IsIn(['approve', 'reject'])
  decision!: 'approve' | 'reject';
}

export class BulkDecideDto {
  @ApiProperty({ type: [BulkDecisionDto], minItems: 1, maxItems: MOST_DECISIONS })
  @ArrayMinSize(1)
  @ArrayMaxSize(MOST_DECISIONS)
  @ArrayUnique((item: { approvalId?: unknown }) => sameId(item.approvalId))
  @IsPartList(() => BulkDecisionDto)
  items!: BulkDecisionDto[];
}

export class BulkDecidedDto {
  @ApiProperty({ format: 'uuid' })
  approvalId!: string;

  @ApiProperty({ type: 'integer', description: 'What the route for one decision would have answered.' })
  status!: number;

  @ApiPropertyOptional({ description: 'Code of the refusal.' })
  code?: string;

  @ApiPropertyOptional()
  detail?: string;

  @ApiPropertyOptional({ format: 'uuid' })
  decisionId?: string;

  @ApiPropertyOptional({ enum: ['received', 'counted'] })
  state?: 'received' | 'counted';
}

export class BulkDecidedListDto {
  @ApiProperty({ type: [BulkDecidedDto], description: 'In the order of the request.' })
  items!: BulkDecidedDto[];
}
