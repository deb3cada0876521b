import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';

export class ProblemItemDto {
  @ApiProperty({ enum: ['error', 'warning'] })
  severity!: 'error' | 'warning';

  @ApiProperty({ description: 'Stable, lower_snake_case.', example: 'unknown_reference' })
  code!: string;

  @ApiProperty()
  message!: string;

  @ApiPropertyOptional({ description: 'Name of the step it belongs to.' })
  step?: string;

  @ApiPropertyOptional({ description: 'Dotted path inside the step or the document.', example: 'inputs.data' })
  field?: string;

  @ApiPropertyOptional({
    description: 'JSON Pointer into the body that was sent, when the place is one of it.',
    example: '/inputs/data',
  })
  pointer?: string;

  @ApiPropertyOptional({ type: 'integer', minimum: 1 })
  line?: number;

  @ApiPropertyOptional({ type: 'integer', minimum: 1 })
  column?: number;

  @ApiPropertyOptional({ description: 'What to do about it.' })
  suggestion?: string;
}

/** RFC 9457 problem details; media type `application/problem+json`. */
export class ProblemDto {
  @ApiProperty({ example: 'urn:agent-factory:error:run_not_found' })
  type!: string;

  @ApiProperty({ example: 'Not Found' })
  title!: string;

  @ApiProperty({ type: 'integer', example: 404 })
  status!: number;

  @ApiProperty({ description: 'One or two sentences for a person.' })
  detail!: string;

  @ApiProperty({ description: 'Stable, lower_snake_case.', example: 'run_not_found' })
  code!: string;

  @ApiProperty({ description: 'Also in the header `X-Request-Id` and in the log.' })
  request_id!: string;

  @ApiPropertyOptional({ type: [ProblemItemDto], description: 'All findings at once, each with its place.' })
  problems?: ProblemItemDto[];

  @ApiPropertyOptional({ type: 'object', additionalProperties: true })
  details?: Record<string, unknown>;
}
