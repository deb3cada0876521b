import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsUUID } from 'class-validator';
import { RUN_STATUSES, type RunStatus } from '../../../core/base/run-status';
import { IsOptional, IsQueryInt, IsText, IsTime } from '../../http/fields';
import { CursorQuery, IsSort, PageQuery } from '../../http/page';
import { STEP_STATES } from './step-view.dto';

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

  @ApiPropertyOptional({ format: 'date-time', description: 'Runs created at this time or later.' })
  @IsTime()
  created_after?: string;

  @ApiPropertyOptional({ format: 'date-time', description: 'Runs created before this time.' })
  @IsTime()
  created_before?: string;
}

export class StartRunQuery {
  @ApiPropertyOptional({
    type: 'integer',
    minimum: 0,
    maximum: 60,
    default: 0,
    description: 'Wait so many seconds for the end of the run; the answer then has it as `run`.',
  })
  @IsQueryInt(0, 60)
  wait?: number;
}

export class StepListQuery extends CursorQuery {
  @ApiPropertyOptional({ type: 'integer', minimum: 1, maximum: 1000, default: 200 })
  @IsQueryInt(1, 1000)
  limit?: number;

  @ApiPropertyOptional({
    description:
      'Only the steps right below this one; of one item or iteration: `review_each[3]`. Empty = the top list.',
  })
  @IsOptional()
  @IsText(1000)
  parent?: string;

  @ApiPropertyOptional({
    enum: STEP_STATES,
    description: 'A page may hold fewer than `limit`; only `next_cursor` says whether it is the last.',
  })
  @IsOptional()
  @IsIn(STEP_STATES)
  status?: (typeof STEP_STATES)[number];
}

export class StepValueQuery extends CursorQuery {
  @ApiPropertyOptional({
    type: 'integer',
    minimum: 1,
    description: 'Absent = the try that counts: the one that succeeded, else the last.',
  })
  @IsQueryInt(1, 1_000_000)
  try_no?: number;
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
