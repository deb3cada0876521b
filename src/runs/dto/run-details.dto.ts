import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import type { Json } from '../../../core/base/json';
import { RUN_STATUSES, type RunStatus } from '../../../core/base/run-status';
import { ApiAnyJson } from '../../http/any-json';

/** An input or output of a step: the value itself where it is small, else its JSON text in slices. */
export class StepValueDto {
  @ApiProperty()
  step_path!: string;

  @ApiPropertyOptional({ type: 'integer', description: 'Absent: the step ran inside the workflow.' })
  try_no?: number;

  @ApiAnyJson('The whole value, where one slice holds it.')
  value?: Json;

  @ApiPropertyOptional({
    description: 'A part of its JSON text; the parts of all pages, one after the other, are the whole.',
  })
  text?: string;

  @ApiPropertyOptional()
  next_cursor?: string;
}

export class ModelCallDto {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty()
  step_path!: string;

  @ApiProperty({ type: 'integer' })
  try_no!: number;

  @ApiProperty({ type: 'integer', description: '1 for the first call of a try, 2 for its repair...' })
  call_no!: number;

  @ApiProperty()
  provider!: string;

  @ApiProperty()
  model!: string;

  @ApiPropertyOptional({ type: 'integer', description: 'Absent: not known, as the provider did not say.' })
  input_tokens?: number;

  @ApiPropertyOptional({ type: 'integer' })
  output_tokens?: number;

  @ApiPropertyOptional({ type: 'number', description: 'US dollars; absent: no price is known.' })
  cost_usd?: number;

  @ApiProperty({
    description:
      '`ok`, `truncated`, `refused`, `cancelled`, the code of the failure; `open`: it was sent and has no answer yet; ' +
      '`lost`: its worker ended before an answer was recorded, so that its tokens and cost are not known.',
  })
  outcome!: string;

  @ApiPropertyOptional({ type: 'integer', description: 'Absent while it is `open`, and when it is `lost`.' })
  latency_ms?: number;

  @ApiProperty({ format: 'date-time' })
  at!: string;
}

export class ModelCallListDto {
  @ApiProperty({ type: [ModelCallDto], description: 'In the order in which they were made.' })
  items!: ModelCallDto[];

  @ApiPropertyOptional()
  next_cursor?: string;
}

export class EffectDto {
  @ApiProperty({ description: 'The same for every attempt: `runId/stepPath`.' })
  effect_key!: string;

  @ApiProperty()
  step_path!: string;

  @ApiProperty({ type: 'integer' })
  try_no!: number;

  @ApiProperty({ enum: ['idempotent', 'keyed', 'unsafe'] })
  effect!: string;

  @ApiPropertyOptional({ description: 'Target of the effect.' })
  target?: string;

  @ApiProperty({
    type: 'integer',
    description: 'How often the request was sent; more than once only where that is allowed.',
  })
  sent_count!: number;

  @ApiPropertyOptional({ format: 'date-time' })
  last_sent_at?: string;

  @ApiPropertyOptional({ enum: ['ok', 'failed'], description: 'Absent: under way, or not known.' })
  status?: string;

  @ApiPropertyOptional({ enum: ['done', 'not_done', 'repeat'], description: 'Outcome that a person stated.' })
  resolution?: string;
}

export class EffectListDto {
  @ApiProperty({ type: [EffectDto], description: 'By effect key.' })
  items!: EffectDto[];

  @ApiPropertyOptional()
  next_cursor?: string;
}

export class RunOutputDto {
  @ApiProperty({ description: 'Key of the step that gave it.' })
  key!: string;

  @ApiProperty({ type: [String], description: 'Fields that are too large for the run itself; "" = the whole.' })
  omitted!: string[];

  @ApiProperty({ description: 'Path to the whole value.' })
  link!: string;
}

/** Outputs of a run, with their destinations. */
export class RunOutputsDto {
  @ApiProperty({ format: 'uuid' })
  runId!: string;

  @ApiProperty({ enum: RUN_STATUSES })
  status!: RunStatus;

  @ApiPropertyOptional({ description: 'The text that the playbook made of the run.' })
  summary?: string;

  @ApiProperty({ type: [RunOutputDto], description: 'Empty until the run has ended.' })
  items!: RunOutputDto[];

  @ApiAnyJson('Outcome of each output destination.')
  routing_report?: Json;
}
