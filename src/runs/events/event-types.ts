import {
  EffectRecordedEvent,
  EffectSentEvent,
  RunStatusEvent,
  StepAttemptFailedEvent,
  StepFinishedEvent,
  StepSkippedEvent,
  StepStartedEvent,
  StepWaitingEvent,
} from './event-payloads.dto';
import {
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
  'model.call': ModelCallEvent,
  'child.started': ChildStartedEvent,
  'child.finished': ChildFinishedEvent,
  'approval.requested': ApprovalRequestedEvent,
  'approval.decided': ApprovalDecidedEvent,
  complete: CompleteEvent,
} as const;

export const EVENT_SCHEMAS = Object.values(EVENT_TYPES);
