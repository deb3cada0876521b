/** The parts of the API's answers that the command line shows; see /api/docs for the whole of them. */
export interface RunStarted {
  runId: string;
  status: string;
}

export interface Wait {
  kind: string;
  step_path?: string;
  approvalId?: string;
  since: string;
  until?: string;
  message?: string;
}

export interface RunSummary {
  runId: string;
  status: string;
  code?: string;
  message?: string;
  waits: Wait[];
  playbook: { slug: string; name: string };
  query?: string;
  steps_total: number;
  steps_done: number;
  created_at: string;
  finished_at?: string;
}

export interface Run extends RunSummary {
  summary?: string;
  routing_report?: unknown;
  links: { temporal_ui?: string };
}

export interface ApprovalSummary {
  approvalId: string;
  runId: string;
  step_path: string;
  status: string;
  prompt: string;
  requested_at: string;
  due_at?: string;
}

export interface Approval extends ApprovalSummary {
  preview?: unknown;
  preview_total?: number;
  digest?: string;
}

export interface DocumentInfo {
  id: string;
  name: string;
  media_type: string;
  runId?: string;
}

export interface Page<Item> {
  items: Item[];
  next_cursor?: string;
}
