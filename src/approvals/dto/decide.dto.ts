import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsObject, IsUUID, Matches } from 'class-validator';
import type { JsonObject } from '../../../core/base/json';
import { IsOptional, IsText } from '../../http/fields';
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
  @ApiProperty({
    example: '0f8fad5b-d9cb-469f-a165-70867728950e',
    format: 'uuid',
    description: 'Made by the caller. The same id always gets the first answer again.',
  })
  @IsUUID('all')
  decisionId!: string;

  @ApiPropertyOptional({ example: 'Check the pay of 2015 again.', description: 'Words for the steps behind the gate.' })
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

  // The service requires it, after it has checked whether the caller may decide.
  @ApiProperty({
    example: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    description: 'The `digest` that the approval showed. Without it: 422; when it changed since: 409.',
  })
  @IsOptional()
  @Matches(DIGEST, { message: 'digest must be 64 lower-case hexadecimal digits' })
  digest?: string;
}

export class EditApprovalDto {
  @ApiProperty({
    example: { title: 'Grants of 2025' },
    type: 'object',
    additionalProperties: true,
    description: 'All changed inputs of the gated action; what was edited before is replaced.',
  })
  @IsObject()
  edits!: JsonObject;

  @ApiProperty({
    example: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    description: 'The `digest` that the approval showed.',
  })
  @IsOptional()
  @Matches(DIGEST, { message: 'digest must be 64 lower-case hexadecimal digits' })
  digest?: string;
}

export class DelegateApprovalDto {
  @ApiProperty({
    example: 'barbara',
    description: 'Id or handle of the person who decides instead; oneself takes it back.',
  })
  @IsText(200, 1)
  to!: string;
}

export class CommentApprovalDto {
  @ApiProperty({ example: 'Is the second filing an amended one?' })
  @IsText(20_000, 1)
  text!: string;
}

export class CreateApprovalLinkDto {
  @ApiProperty({
    example: 'barbara',
    description: 'Id or handle of the person whom the link is for; they must be able to decide.',
  })
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
