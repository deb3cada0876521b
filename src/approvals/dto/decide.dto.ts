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

  @ApiPropertyOptional({ description: 'The digest that the decider saw; a request that changed since is refused.' })
  @IsOptional()
  @Matches(/^[0-9a-f]{64}$/, { message: 'digest must be 64 lower-case hexadecimal digits' })
  digest?: string;
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
