import {
  EffectRecordedEvent,
  EffectSentEvent,
  RunStatusEvent,
  SourceCalledEvent,
  SourceDriftEvent,
  StepAttemptFailedEvent,
  StepFinishedEvent,
  StepSkippedEvent,
  StepStartedEvent,
  StepWaitingEvent,
} from './event-payloads.dto';
import {
  ApprovalActEvent,
  ApprovalCountedEvent,
  ApprovalDecidedEvent,
  ApprovalRequestedEvent,
  ChildFinishedEvent,
  ChildStartedEvent,
  CompleteEvent,
  ModelCallEvent,
} from './run-event-payloads.dto';

/** SSE event name → schema of its `data`. */
export const EVENT_TYPES = {
  'run.status': RunStatusEvent,
  'step.started': StepStartedEvent,
  'step.attempt_failed': StepAttemptFailedEvent,
  'step.waiting': StepWaitingEvent,
  'step.finished': StepFinishedEvent,
  'step.skipped': StepSkippedEvent,
  'effect.sent': EffectSentEvent,
  'effect.recorded': EffectRecordedEvent,
  'source.called': SourceCalledEvent,
  'source.drift': SourceDriftEvent,
  'model.call': ModelCallEvent,
  'child.started': ChildStartedEvent,
  'child.finished': ChildFinishedEvent,
  'approval.requested': ApprovalRequestedEvent,
  'approval.counted': ApprovalCountedEvent,
  'approval.edited': ApprovalActEvent,
  'approval.delegated': ApprovalActEvent,
  'approval.commented': ApprovalActEvent,
  'approval.linked': ApprovalActEvent,
  'approval.reminded': ApprovalActEvent,
  'approval.escalated': ApprovalActEvent,
  'approval.decided': ApprovalDecidedEvent,
  complete: CompleteEvent,
} as const;

export const EVENT_SCHEMAS = [...new Set(Object.values(EVENT_TYPES))];

/** The union of them, each with its own `type`; see src/app/openapi-events.ts. */
export const RUN_EVENT = { $ref: '#/components/schemas/RunEvent' };
