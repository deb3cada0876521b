import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';

/** One thing that a run waits for: a run that is not closed always has one. */
export class WaitDto {
  @ApiProperty({
    example: 'approval',
    description:
      '`start` (a worker), `approval`, `attention` (a person has to `resolve` the step), `child`, `retry`, `source` (a source asked for a pause, or a limit is used up), `paused`',
  })
  kind!: string;

  @ApiPropertyOptional()
  step_path?: string;

  @ApiPropertyOptional()
  approvalId?: string;

  @ApiPropertyOptional({ description: 'The child run that is waited for.' })
  runId?: string;

  @ApiPropertyOptional({ format: 'date-time' })
  since?: string;

  @ApiPropertyOptional({ type: String, format: 'date-time', nullable: true, description: 'When it ends by itself.' })
  until?: string | null;

  @ApiPropertyOptional({ description: 'Of a `source`: `rate_limited`, `quota_used_up`, `source_busy`.' })
  reason?: string;

  @ApiPropertyOptional({ type: String, nullable: true, description: 'Origin of the source that is waited for.' })
  source?: string | null;

  @ApiPropertyOptional()
  code?: string;

  @ApiPropertyOptional()
  message?: string;

  @ApiPropertyOptional({
    description: 'Of `paused`: the run whose pause reached this one. It is resumed with that one.',
  })
  paused_by?: string;
}

export class StepErrorDto {
  @ApiProperty()
  code!: string;

  @ApiProperty()
  message!: string;

  @ApiProperty()
  category!: string;

  @ApiProperty()
  retryable!: boolean;

  @ApiPropertyOptional({ type: 'object', additionalProperties: true })
  details?: Record<string, unknown>;
}

/** An error as events show it; the step's tries have all of it. */
export class EventErrorDto {
  @ApiProperty()
  code!: string;

  @ApiProperty()
  message!: string;

  @ApiPropertyOptional()
  category?: string;

  @ApiPropertyOptional()
  retryable?: boolean;

  @ApiPropertyOptional({ type: 'object', additionalProperties: true })
  details?: Record<string, unknown>;
}

export class EffectNoteDto {
  @ApiProperty({ format: 'date-time' })
  at!: string;

  @ApiPropertyOptional()
  step?: string;

  @ApiProperty()
  step_path!: string;

  @ApiProperty({ description: 'The same for every attempt: `runId/stepPath`.' })
  effect_key!: string;
}
