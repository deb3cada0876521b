import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { APPROVAL_ACTS, type ApprovalAct } from '../../../infra/db/stores/approval-view.store';
import { ApiAnyJson } from '../../http/any-json';
import type { Json } from '../../../core/base/json';
import { RUN_STATUSES, type RunStatus } from '../../../core/base/run-status';
import { APPROVAL_STATUSES, type ApprovalStatus } from './decide.dto';
import { EffectsBehindDto } from './effects-behind.dto';
import { ListDto } from '../../shared/list.dto';
import { EditedStepDto } from '../../shared/edited-step.dto';
import { ShortfallDto } from '../../shared/shortfall.dto';

export class DecisionDto {
  @ApiProperty({ format: 'uuid' })
  decisionId!: string;

  @ApiProperty({ enum: ['received', 'counted', 'refused'] })
  state!: 'received' | 'counted' | 'refused';

  @ApiProperty({ enum: ['approve', 'reject'] })
  decision!: 'approve' | 'reject';

  @ApiPropertyOptional({ description: 'Why it was refused.' })
  code?: string;

  @ApiProperty()
  actor!: string;

  @ApiProperty({ enum: ['api', 'cli', 'signal', 'policy', 'link'] })
  via!: string;

  @ApiPropertyOptional()
  instructions?: string;

  @ApiAnyJson()
  edits?: Json;

  @ApiProperty({ format: 'date-time' })
  created_at!: string;

  @ApiPropertyOptional({ format: 'date-time' })
  settled_at?: string;

  @ApiPropertyOptional({ format: 'uuid', description: 'Who delegated to the actor.' })
  acting_for?: string;

  @ApiPropertyOptional({
    format: 'date-time',
    description:
      'Time of a later edit of the action, or of a later rejection by the same person: this decision does not count any more.',
  })
  superseded_at?: string;
}

export class ApproverDto {
  @ApiProperty({ enum: ['user', 'team', 'scope'] })
  kind!: string;

  @ApiProperty({ description: 'Handle, name of the team, or scope.' })
  name!: string;

  @ApiProperty({ enum: ['named', 'escalation', 'delegation'] })
  source!: string;

  @ApiPropertyOptional({ format: 'uuid', description: 'Who delegated.' })
  granted_by?: string;
}

export class ApprovalRulesDto {
  @ApiProperty({ type: 'integer', description: 'How many people have to approve. One rejection decides.' })
  quorum!: number;

  @ApiProperty({ type: 'integer', description: 'How many people have approved what is shown now.' })
  approvals!: number;

  @ApiProperty({ description: 'Neither the owner of the run nor the last editor may decide.' })
  four_eyes!: boolean;

  @ApiProperty({ description: 'A link decides without a session.' })
  link_only!: boolean;

  @ApiProperty({ type: [ApproverDto], description: 'Empty: the owner of the run decides.' })
  approvers!: ApproverDto[];

  @ApiProperty({ type: [String], description: 'Approvers that the playbook names and that do not exist.' })
  unknown_approvers!: string[];

  @ApiPropertyOptional({ format: 'date-time' })
  reminded_at?: string;

  @ApiPropertyOptional({ format: 'date-time' })
  escalated_at?: string;
}

/** Event of a request beside decisions. */
export class ApprovalActDto {
  @ApiProperty({ enum: ['edited', 'delegated', 'commented', 'linked', 'reminded', 'escalated'] })
  kind!: string;

  @ApiProperty({ description: 'Handle, or `timer`.' })
  actor!: string;

  @ApiAnyJson('Content of the act: the edits, the person that it is about, the words.')
  body?: Json;

  @ApiProperty({ format: 'date-time' })
  at!: string;
}

/** A request for a decision as lists show it. */
export class ApprovalSummaryDto {
  @ApiProperty({ format: 'uuid' })
  approvalId!: string;

  @ApiProperty({ format: 'uuid' })
  runId!: string;

  @ApiProperty()
  step!: string;

  @ApiProperty()
  step_path!: string;

  @ApiProperty({ enum: APPROVAL_STATUSES })
  status!: ApprovalStatus;

  @ApiProperty()
  prompt!: string;

  @ApiPropertyOptional({
    type: [ShortfallDto],
    description: 'Missing data that the question, its preview or the action depends on. Absent: nothing is missing.',
  })
  failures?: ShortfallDto[];

  @ApiPropertyOptional({
    type: [EditedStepDto],
    description:
      'Steps that a yes permits, with inputs that a retry, or an approver of an earlier run, edited; the digest covers them. Absent: none.',
  })
  edited?: EditedStepDto[];

  @ApiProperty({ format: 'date-time' })
  requested_at!: string;

  @ApiPropertyOptional({ format: 'date-time' })
  due_at?: string;

  @ApiPropertyOptional({
    enum: [true],
    description: 'The time is over and nobody can decide any more; the run has not heard of it yet.',
  })
  due_passed?: true;

  @ApiPropertyOptional({ format: 'date-time' })
  decided_at?: string;

  @ApiPropertyOptional()
  decided_by?: string;
}

export class ApprovalListDto extends ListDto {
  @ApiProperty({ type: [ApprovalSummaryDto] })
  items!: ApprovalSummaryDto[];
}

/** Decision at the same gate of an earlier run of the playbook, to compare with. */
export class PreviousApprovalDto {
  @ApiProperty({ format: 'uuid' })
  approvalId!: string;

  @ApiProperty({ format: 'uuid' })
  runId!: string;

  @ApiProperty({ enum: APPROVAL_STATUSES })
  status!: ApprovalStatus;

  @ApiProperty({ format: 'date-time' })
  decided_at!: string;

  @ApiPropertyOptional()
  decided_by?: string;

  @ApiAnyJson('What the gated action was called with then.')
  inputs?: Json;

  @ApiPropertyOptional()
  digest?: string;
}

/** One field of the action that an edit changed. */
export class EditChangeDto {
  @ApiProperty({ description: 'Path of the input; `a.b` is b in a.' })
  field!: string;

  @ApiAnyJson('Value that the step would have had. Absent: it had none.')
  before?: Json;

  @ApiAnyJson('Value that it has now. Absent: it has none.')
  now?: Json;

  @ApiPropertyOptional({ description: 'Handle of the person who made this change.' })
  by?: string;

  @ApiPropertyOptional({ format: 'date-time' })
  at?: string;
}

export class ApprovalDto extends ApprovalSummaryDto {
  @ApiPropertyOptional({
    enum: [true],
    description:
      'The run is paused. The time of the request runs on, and a decision counts; what follows from it waits.',
  })
  run_paused?: true;

  @ApiAnyJson('The rows to look at, already limited.')
  preview?: Json;

  @ApiPropertyOptional({ type: 'integer', description: 'How many rows there are in all.' })
  preview_total?: number;

  @ApiAnyJson('The exact action behind the gate: {step, action, inputs, params}.')
  action?: Json;

  @ApiPropertyOptional({
    type: EffectsBehindDto,
    description: 'Effects behind the gate, including the step of `action`. Absent: not known.',
  })
  effects_behind?: EffectsBehindDto;

  @ApiAnyJson('What the action will be called with.')
  inputs?: Json;

  @ApiPropertyOptional({ type: PreviousApprovalDto })
  previous?: PreviousApprovalDto;

  @ApiProperty({
    enum: APPROVAL_ACTS,
    isArray: true,
    description: 'Acts that you may do now, with the credential of this call.',
  })
  allowed_actions!: ApprovalAct[];

  @ApiPropertyOptional({ description: 'SHA-256 of the action with its edits; a decision names it.' })
  digest?: string;

  @ApiAnyJson('JSON Schema of what `edits` may change.')
  edit_schema?: Json;

  @ApiProperty({
    enum: ['stop', 'skip'],
    description:
      '`skip`: after a rejection the run goes on, and the shown call is made too unless its condition asks for an approval; `effects_behind.on_reject` lists the effects.',
  })
  on_reject!: string;

  @ApiProperty({
    enum: ['stop', 'skip'],
    description: 'What happens without a decision in time: `effects_behind.on_timeout`.',
  })
  on_timeout!: string;

  @ApiPropertyOptional()
  instructions?: string;

  @ApiAnyJson()
  edits?: Json;

  @ApiPropertyOptional({
    type: [EditChangeDto],
    description: 'What the edits changed, field by field; the question was written before. Absent: nothing.',
  })
  changes?: EditChangeDto[];

  @ApiProperty({ type: ApprovalRulesDto })
  rules!: ApprovalRulesDto;

  @ApiProperty({ description: 'Whether it waits, and you may decide it by the credential of this call.' })
  may_decide!: boolean;

  @ApiPropertyOptional({ description: 'Code of why you may not.' })
  may_not_because?: string;

  @ApiProperty({ type: [ApprovalActDto], description: 'Edits, delegations, comments, links, reminders; oldest first.' })
  history!: ApprovalActDto[];

  @ApiProperty({ type: [DecisionDto], description: 'Every decision that came in, those that did not count too.' })
  decisions!: DecisionDto[];
}

export class ApprovalLinkDto {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty({ description: 'Shown once: GET shows the request, POST decides it, once.' })
  url!: string;
}

export class LinkedPlaybookDto {
  @ApiProperty()
  slug!: string;

  @ApiProperty()
  name!: string;
}

/** Request as a link shows it; reading it changes nothing. */
export const UNUSABLE_BECAUSE = [
  'decided',
  'due_passed',
  'run_closed',
  'changed',
  'used',
  'delegated_away',
  'four_eyes',
  'not_allowed',
] as const;
export type UnusableBecause = (typeof UNUSABLE_BECAUSE)[number];
export const LINK_DECISIONS = ['approve', 'reject'] as const;
export type LinkDecision = (typeof LINK_DECISIONS)[number];

export class LinkedApprovalDto {
  @ApiProperty({ type: LinkedPlaybookDto, description: 'Playbook of the run that asks.' })
  playbook!: LinkedPlaybookDto;

  @ApiProperty({ description: 'Handle of the owner of the run.' })
  asked_by!: string;

  @ApiProperty({ description: 'Handle of the person whom the link is for.' })
  user!: string;

  @ApiProperty({ description: 'Whether it can still be used, for one of `allowed_decisions`.' })
  usable!: boolean;

  @ApiProperty({
    enum: LINK_DECISIONS,
    isArray: true,
    description: 'What its person may decide by it now; `reject` alone where they have approved already.',
  })
  allowed_decisions!: LinkDecision[];

  @ApiPropertyOptional({
    enum: UNUSABLE_BECAUSE,
    description:
      '`decided`: by somebody. `due_passed`: nobody did in time. `run_closed`: the run ended, or is being cancelled. `changed`: what the link was made for is not what the request shows now; ask for a new one. `delegated_away`, `four_eyes`, `not_allowed`: its person may not decide any more.',
  })
  unusable_because?: UnusableBecause;

  @ApiPropertyOptional({ description: 'Handle of the person to whom it was delegated.' })
  delegated_to?: string;

  @ApiPropertyOptional({
    enum: RUN_STATUSES,
    description: 'How the run ended, where that closed the request: nobody decided.',
  })
  run_ended?: RunStatus;

  @ApiProperty({ description: 'Where to POST {decision, instructions?}.' })
  decide_at!: string;

  @ApiProperty({ type: ApprovalDto })
  approval!: ApprovalDto;
}

export class PersonDto {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty()
  handle!: string;

  @ApiProperty()
  name!: string;
}

export class PeopleDto {
  @ApiProperty({ type: [PersonDto] })
  items!: PersonDto[];
}

export class DecisionAnswerDto {
  @ApiProperty({ format: 'uuid' })
  approvalId!: string;

  @ApiProperty({ format: 'uuid' })
  decisionId!: string;

  @ApiProperty({
    enum: ['received', 'counted'],
    description: '`received`: kept; it is delivered as soon as a worker runs.',
  })
  state!: 'received' | 'counted';

  @ApiProperty({ enum: ['approve', 'reject'] })
  decision!: 'approve' | 'reject';
}
