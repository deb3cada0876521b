import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsOptional, IsUUID } from 'class-validator';
import { RUN_STATUSES, type RunStatus } from '../../../core/base/run-status';
import { IsQueryInt, IsText } from '../../http/fields';
import { IsSort, PageQuery } from '../../http/page';

export class RunListQuery extends PageQuery {
  @IsSort('-created_at', 'created_at')
  sort?: '-created_at' | 'created_at';

  @ApiPropertyOptional({ enum: RUN_STATUSES })
  @IsOptional()
  @IsIn(RUN_STATUSES)
  status?: RunStatus;

  @ApiPropertyOptional({ description: 'Id or slug of a playbook.' })
  @IsOptional()
  @IsText(200, 1)
  playbook?: string;

  @ApiPropertyOptional({ format: 'uuid', description: 'Runs for this agent profile.' })
  @IsOptional()
  @IsUUID('all')
  profile?: string;

  @ApiPropertyOptional({ format: 'uuid', description: 'Runs in this team.' })
  @IsOptional()
  @IsUUID('all')
  team?: string;
}

export class StepListQuery {
  @ApiPropertyOptional({ type: 'integer', minimum: 1, maximum: 1000, default: 200 })
  @IsQueryInt(1, 1000)
  limit?: number;

  @ApiPropertyOptional({ type: 'integer', minimum: 0, description: '`next_after` of the page before.' })
  @IsQueryInt(0, Number.MAX_SAFE_INTEGER)
  after?: number;
}

export class EventStreamQuery {
  @ApiPropertyOptional({
    type: 'integer',
    minimum: 0,
    description: 'As the header `Last-Event-ID`, for clients that cannot set it.',
  })
  @IsQueryInt(0, Number.MAX_SAFE_INTEGER)
  last_event_id?: number;
}

export class TriesQuery {
  @ApiProperty({ description: 'Place in the run.', example: 'review_each[3]/parse' })
  @IsText(1000, 1)
  step_path!: string;
}
