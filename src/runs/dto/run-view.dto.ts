import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ApiAnyJson } from '../../http/any-json';
import { RUN_STATUSES, type RunStatus } from '../../../core/base/run-status';
import type { Json, JsonObject } from '../../../core/base/json';
import type { RunStrategy } from '../../../infra/db/stores/run-types';
import { StepDto } from './step-view.dto';
import { WaitDto } from '../events/event-parts.dto';
import { ListDto } from '../../shared/list.dto';
import { RunWarningDto } from '../../shared/run-warning.dto';

export class RunPlaybookDto {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty()
  slug!: string;

  @ApiProperty()
  name!: string;

  @ApiProperty({ format: 'uuid', description: 'The version that this run keeps, whatever happens to the playbook.' })
  version_id!: string;

  @ApiPropertyOptional({ type: 'integer' })
  version_no?: number;
}

export class RunLinksDto {
  @ApiProperty({ description: 'Server-sent events of this run.' })
  events!: string;

  @ApiProperty()
  steps!: string;

  @ApiPropertyOptional({ description: 'The run in Temporal Web.' })
  temporal_ui?: string;
}

const RUN_ACTIONS = ['cancel', 'pause', 'resume', 'resolve', 'retry'] as const;
export type RunAction = (typeof RUN_ACTIONS)[number];

/** A run as lists show it. */
export class RunSummaryDto {
  @ApiProperty({ format: 'uuid' })
  runId!: string;

  @ApiProperty({ enum: RUN_STATUSES })
  status!: RunStatus;

  @ApiPropertyOptional({ description: 'Reason of the status, for machines.' })
  code?: string;

  @ApiPropertyOptional({ description: 'Reason of the status, for people.' })
  message?: string;

  @ApiProperty({ type: [WaitDto] })
  waits!: WaitDto[];

  @ApiProperty({ enum: RUN_ACTIONS, isArray: true, description: 'Commands that the run accepts now.' })
  allowed_actions!: RunAction[];

  @ApiProperty({ type: RunPlaybookDto })
  playbook!: RunPlaybookDto;

  @ApiPropertyOptional()
  query?: string;

  @ApiProperty()
  run_context!: string;

  @ApiProperty({ format: 'uuid', description: 'Who started it: it is their run.' })
  owner_id!: string;

  @ApiPropertyOptional({ format: 'uuid', description: 'The agent profile that it is for.' })
  profile_id?: string;

  @ApiPropertyOptional({ format: 'uuid', description: 'The team whose share it uses.' })
  team_id?: string;

  @ApiProperty({ type: 'integer' })
  steps_total!: number;

  @ApiProperty({ type: 'integer' })
  steps_done!: number;

  @ApiPropertyOptional({ format: 'uuid' })
  parent_run_id?: string;

  @ApiPropertyOptional({
    format: 'uuid',
    description: 'Of a sub-playbook: the outermost run that it is part of. A retry of that one goes on in this one.',
  })
  root_run_id?: string;

  @ApiPropertyOptional({ format: 'uuid' })
  retry_of?: string;

  @ApiProperty({ format: 'date-time' })
  created_at!: string;

  @ApiPropertyOptional({ format: 'date-time' })
  started_at?: string;

  @ApiPropertyOptional({ format: 'date-time' })
  finished_at?: string;
}

export class RunListDto extends ListDto {
  @ApiProperty({ type: [RunSummaryDto] })
  items!: RunSummaryDto[];
}

export class ChildRunDto {
  @ApiProperty({ format: 'uuid' })
  runId!: string;

  @ApiPropertyOptional()
  step_path?: string;

  @ApiProperty({ enum: RUN_STATUSES })
  status!: RunStatus;

  @ApiProperty()
  playbook!: string;
}

export class RunUsageDto {
  @ApiProperty({ type: 'integer' })
  input_tokens!: number;

  @ApiProperty({ type: 'integer' })
  output_tokens!: number;

  @ApiProperty({
    type: 'number',
    nullable: true,
    description: 'US dollars of the calls whose price is known; null = of none.',
  })
  cost_usd!: number | null;

  @ApiProperty({
    type: 'integer',
    description:
      'Model calls without a known price, including those that have no answer yet or lost it with their worker. Above 0, `cost_usd` is not the whole cost of the run.',
  })
  unpriced_calls!: number;
}

export class PinnedConnectorDto {
  @ApiProperty()
  connector!: string;

  @ApiProperty({ format: 'uuid', description: 'The version that this run keeps, whatever happens to the connector.' })
  version_id!: string;

  @ApiPropertyOptional({ type: 'integer', description: 'Absent: of a connector that you do not see.' })
  version_no?: number;
}

export class CalledConnectorDto {
  @ApiProperty()
  connector!: string;

  @ApiProperty()
  endpoint!: string;

  @ApiProperty({ type: 'integer' })
  calls!: number;

  @ApiProperty({
    type: 'integer',
    description: 'Calls that gave no result: their steps failed or were skipped, or a person said `not_done`.',
  })
  failed!: number;

  @ApiProperty({ type: 'integer', description: 'Requests that were sent: pages and repeats.' })
  requests!: number;

  @ApiProperty({ type: 'integer', description: 'Calls that were answered with a stored answer.' })
  stale!: number;
}
const STRATEGIES: RunStrategy[] = ['pipeline', 'playbook', 'research', 'direct'];

export class RunDto extends RunSummaryDto {
  @ApiProperty({ type: 'object', additionalProperties: true })
  inputs!: JsonObject;

  @ApiProperty()
  approval_policy!: string;

  @ApiProperty({ type: 'object', additionalProperties: true, description: 'Time values, taken once at the start.' })
  clock!: Record<string, string>;

  @ApiProperty({ enum: ['run', 'pause', 'cancel'], description: 'Last command of a person.' })
  control!: string;

  @ApiPropertyOptional({ description: 'The text that the playbook made of the run.' })
  summary?: string;

  @ApiProperty({
    type: [StepDto],
    description: 'The steps of the playbook itself; items and iterations are under `links.steps`.',
  })
  steps!: StepDto[];

  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: true,
    description: 'Results by step key, once the run has ended.',
  })
  outputs?: JsonObject;

  @ApiPropertyOptional({
    type: [String],
    description:
      'Results that are too large to show here, as `key` or `key.field`; their place in `outputs` is null. GET …/outputs/{key} gives them.',
  })
  outputs_omitted?: string[];

  @ApiAnyJson('Outcome of each output destination.')
  routing_report?: Json;

  @ApiProperty({ type: [PinnedConnectorDto], description: 'The connectors that its playbook names.' })
  connectors!: PinnedConnectorDto[];

  @ApiProperty({
    type: [CalledConnectorDto],
    description:
      'The sources of the run, once it has ended; also a call whose outcome a person stated (`resolve`: `done`, `not_done`).',
  })
  connectors_called!: CalledConnectorDto[];
  @ApiPropertyOptional({
    enum: STRATEGIES,
    description: 'How its work was chosen: `pipeline` is a playbook without a model.',
  })
  strategy?: RunStrategy;

  @ApiProperty({ type: [String], description: 'Kinds of destinations that its playbook sends results to.' })
  output_destinations!: string[];

  @ApiProperty({ type: RunUsageDto })
  usage!: RunUsageDto;

  @ApiProperty({ type: [ChildRunDto] })
  children!: ChildRunDto[];

  @ApiPropertyOptional({ description: 'The step that a retry began with.' })
  retry_from?: string;

  @ApiProperty({ type: RunLinksDto })
  links!: RunLinksDto;
}

export class RunStartedDto {
  @ApiProperty({ format: 'uuid' })
  runId!: string;

  @ApiProperty({ enum: RUN_STATUSES, description: '`pending` until the workflow has begun.' })
  status!: RunStatus;

  @ApiPropertyOptional({ type: [RunWarningDto], description: 'What will go wrong, known before it begins.' })
  warnings?: RunWarningDto[];

  @ApiPropertyOptional({ type: RunDto, description: 'The run as it ended, where the request waited for that.' })
  run?: RunDto;
}
