import { ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { ArrayMaxSize, ArrayNotEmpty, IsIn, IsUUID } from 'class-validator';
import { IsOptional, IsText } from '../http/fields';
import { EVENT_TYPES } from '../runs/events/event-types';

const EVENT_NAMES = Object.keys(EVENT_TYPES);

export class AllEventsQuery {
  @ApiPropertyOptional({
    type: String,
    description: 'Names of events, comma-separated. Absent: all.',
    example: 'run.status,approval.requested',
  })
  @IsOptional()
  @Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.split(',') : value))
  @ArrayNotEmpty()
  @ArrayMaxSize(EVENT_NAMES.length)
  @IsIn(EVENT_NAMES, { each: true })
  types?: string[];

  @ApiPropertyOptional({ format: 'uuid', description: 'Events of this run alone.' })
  @IsOptional()
  @IsUUID('all')
  run?: string;

  @ApiPropertyOptional({ description: 'As the header `Last-Event-ID`, for clients that cannot set it.' })
  @IsOptional()
  @IsText(500)
  last_event_id?: string;
}
