import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ArrayMaxSize, ArrayMinSize, ArrayUnique, IsArray, IsIn, IsUUID } from 'class-validator';
import { RUN_STATUSES, type RunStatus } from '../../../core/base/run-status';
import { sameId } from '../../http/fields';

const BULK_ACTIONS = ['cancel', 'pause', 'resume', 'retry'] as const;
export type BulkAction = (typeof BULK_ACTIONS)[number];
const MOST_RUNS = 100;

export class BulkRunsDto {
  @ApiProperty({ enum: BULK_ACTIONS })
  @IsIn(BULK_ACTIONS)
  action!: BulkAction;

  @ApiProperty({
    example: ['0f8fad5b-d9cb-469f-a165-70867728950e'],
    type: [String],
    format: 'uuid',
    minItems: 1,
    maxItems: MOST_RUNS,
    uniqueItems: true,
  })
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(MOST_RUNS)
  @ArrayUnique(sameId)
  @IsUUID('all', { each: true })
  ids!: string[];
}

export class BulkRunDto {
  @ApiProperty({ format: 'uuid' })
  runId!: string;

  @ApiProperty({
    type: 'integer',
    description: 'What the route for one run would have answered: 200, 201, 202, 404, 409...',
  })
  status!: number;

  @ApiPropertyOptional({ description: 'Code of the refusal.' })
  code?: string;

  @ApiPropertyOptional()
  detail?: string;

  @ApiPropertyOptional({ enum: RUN_STATUSES, description: 'Status of the run, or of the new run of a retry.' })
  run_status?: RunStatus;

  @ApiPropertyOptional({ format: 'uuid', description: 'The new run of a retry.' })
  retry_run_id?: string;
}

export class BulkRunsAnswerDto {
  @ApiProperty({ type: [BulkRunDto], description: 'In the order of `ids`.' })
  items!: BulkRunDto[];
}
