import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsObject, IsOptional, IsUUID, Matches } from 'class-validator';
import type { JsonObject } from '../../../core/base/json';
import { IsText } from '../../http/fields';
import { IsSort, PageQuery } from '../../http/page';

export const APPROVAL_STATUSES = [
  'waiting',
  'approved',
  'rejected',
  'timed_out',
  'cancelled',
  'auto_approved',
] as const;
export type ApprovalStatus = (typeof APPROVAL_STATUSES)[number];

const DIGEST = /^[0-9a-f]{64}$/;

export class DecideDto {
  @ApiProperty({ format: 'uuid', description: 'Made by the caller. The same id always gets the first answer again.' })
  @IsUUID('all')
  decisionId!: string;

  @ApiPropertyOptional({ description: 'Words for the steps behind the gate.' })
  @IsOptional()
  @IsText(20_000)
  instructions?: string;

  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: true,
    description: 'Changed inputs of the gated action.',
  })
  @IsOptional()
  @IsObject()
  edits?: JsonObject;

  // Asked for by the service, behind the question whether the caller may decide.
  @ApiProperty({ description: 'The `digest` that the approval showed. Without it: 422; when it changed since: 409.' })
  @IsOptional()
  @Matches(DIGEST, { message: 'digest must be 64 lower-case hexadecimal digits' })
  digest?: string;
}

export class EditApprovalDto {
  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    description: 'All changed inputs of the gated action; what was edited before is replaced.',
  })
  @IsObject()
  edits!: JsonObject;

  @ApiProperty({ description: 'The `digest` that the approval showed.' })
  @IsOptional()
  @Matches(DIGEST, { message: 'digest must be 64 lower-case hexadecimal digits' })
  digest?: string;
}

export class DelegateApprovalDto {
  @ApiProperty({ description: 'Id or handle of the person who decides instead; oneself takes it back.' })
  @IsText(200, 1)
  to!: string;
}

export class CommentApprovalDto {
  @ApiProperty()
  @IsText(20_000, 1)
  text!: string;
}

export class CreateApprovalLinkDto {
  @ApiProperty({ description: 'Id or handle of the person whom the link is for; he must be able to decide.' })
  @IsText(200, 1)
  user!: string;
}

export class DecideByLinkDto {
  @ApiProperty({ enum: ['approve', 'reject'] })
  @IsIn(['approve', 'reject'])
  decision!: 'approve' | 'reject';

  @ApiPropertyOptional({ description: 'Words for the steps behind the gate.' })
  @IsOptional()
  @IsText(20_000)
  instructions?: string;
}

export class ApprovalListQuery extends PageQuery {
  @IsSort('-requested_at', 'requested_at')
  sort?: '-requested_at' | 'requested_at';

  @ApiPropertyOptional({ enum: APPROVAL_STATUSES })
  @IsOptional()
  @IsIn(APPROVAL_STATUSES)
  status?: ApprovalStatus;

  @ApiPropertyOptional({ format: 'uuid' })
  @IsOptional()
  @IsUUID('all')
  run?: string;
}
