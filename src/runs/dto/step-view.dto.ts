import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ApiAnyJson } from '../../http/any-json';
import type { Json } from '../../../core/base/json';
import { EventErrorDto, StepErrorDto } from '../events/event-parts.dto';

export const STEP_STATES = ['running', 'waiting', 'ok', 'failed', 'skipped'] as const;

/** One place of the run: a step, with its item and iteration indexes. */
export class StepDto {
  @ApiProperty({ description: 'Name of the step in the playbook.' })
  step!: string;

  @ApiProperty({ example: 'review_each[3]/parse' })
  step_path!: string;

  @ApiPropertyOptional()
  action?: string;

  @ApiProperty({ enum: STEP_STATES })
  status!: (typeof STEP_STATES)[number];

  @ApiProperty({ type: 'integer', description: 'Tries that the playbook asked for.' })
  tries!: number;

  @ApiPropertyOptional({ description: 'Why it was skipped or what it waits for.' })
  reason?: string;

  @ApiPropertyOptional({ format: 'date-time' })
  started_at?: string;

  @ApiPropertyOptional({ format: 'date-time' })
  finished_at?: string;

  @ApiPropertyOptional({ type: 'integer' })
  duration_ms?: number;

  @ApiPropertyOptional({ type: 'integer', description: 'Bytes of the result as JSON.' })
  size?: number;

  @ApiAnyJson('Beginning of the result.')
  output_preview?: unknown;

  @ApiPropertyOptional({ type: EventErrorDto, description: 'The last error, also of a step that succeeded later.' })
  error?: EventErrorDto;
}

export class StepListDto {
  @ApiProperty({ type: [StepDto] })
  items!: StepDto[];

  @ApiPropertyOptional({ type: 'integer', description: 'Give it as `after` for the next page.' })
  next_after?: number;
}

/** One try of a step that an activity carried out. */
export class StepTryDto {
  @ApiProperty()
  step_path!: string;

  @ApiProperty({ type: 'integer' })
  try_no!: number;

  @ApiPropertyOptional()
  action?: string;

  @ApiPropertyOptional({ enum: ['ok', 'failed'], description: 'Absent while it runs, or while nobody knows.' })
  status?: 'ok' | 'failed';

  @ApiAnyJson('What the step was called with.')
  input?: Json;

  @ApiAnyJson('The result; large parts of it are null here and named in `omitted`.')
  output?: Json;

  @ApiPropertyOptional({
    type: [String],
    description: 'Fields of the result that are too large to show; "" = the whole result.',
  })
  omitted?: string[];

  @ApiPropertyOptional({ type: StepErrorDto })
  error?: StepErrorDto;

  @ApiProperty({ format: 'date-time' })
  started_at!: string;

  @ApiPropertyOptional({ format: 'date-time' })
  finished_at?: string;

  @ApiProperty({ type: 'integer', description: 'How often a worker took it up.' })
  attempts!: number;

  @ApiProperty({ type: 'integer', description: 'How many of those workers were lost.' })
  losses!: number;

  @ApiPropertyOptional({ enum: ['idempotent', 'keyed', 'unsafe'] })
  effect?: string;

  @ApiPropertyOptional({ description: 'What the effect goes to.' })
  effect_target?: string;

  @ApiProperty({ type: 'integer' })
  effect_sent_count!: number;

  @ApiPropertyOptional({ format: 'uuid', description: 'The run whose result was taken over by a retry.' })
  copied_from?: string;
}

export class StepTriesDto {
  @ApiProperty({ type: [StepTryDto] })
  items!: StepTryDto[];
}
