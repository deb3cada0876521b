import type { Json } from '../base/json';
import type { RunStatus } from '../base/run-status';
import type { StatusPatch } from './commands';
import type { Machine } from './machine';
import type { StepNode } from './state';

/** Replay-sensitive. What the run is doing, and what it waits for, since when, until when. */

export function statusPatch(m: Machine): StatusPatch | undefined {
  const waits = waitsOf(m);
  const status = statusOf(m);
  const attention = Object.values(m.state.nodes).find((node) => node.attention)?.attention;
  const fingerprint = JSON.stringify([status, waits]);
  if (fingerprint === m.state.lastStatus) return undefined;
  m.state.lastStatus = fingerprint;
  m.state.patchNo += 1;
  const patch: StatusPatch = {
    no: m.state.patchNo,
    status,
    waits,
    steps_done: m.state.stepsDone,
    steps_total: m.index.counted,
  };
  return status === 'needs_attention' && attention
    ? { ...patch, code: attention.code, message: attention.message }
    : patch;
}

/** A run whose timers are all of gates works on nothing. */
const BESIDE_GATES: readonly string[] = ['gate', 'remind', 'escalate'];

function statusOf(m: Machine): RunStatus {
  const { state } = m;
  if (state.closing) return state.finished ? state.closing.status : 'running';
  if (state.paused) return 'paused';
  const working = Object.values(state.open).some(
    (open) => open.kind !== 'timer' || !BESIDE_GATES.includes(open.purpose),
  );
  if (working || state.ready.length > 0) return 'running';
  const nodes = Object.values(state.nodes);
  if (nodes.some((node) => node.attention)) return 'needs_attention';
  return nodes.some((node) => node.phase === 'gate') ? 'waiting_approval' : 'running';
}

function waitsOf(m: Machine): Json[] {
  const waits: Json[] = [];
  for (const path of Object.keys(m.state.nodes).toSorted()) {
    const node = m.state.nodes[path];
    const wait = node && waitOf(node);
    if (wait) waits.push(wait);
    if (waits.length >= MAX_WAITS) break;
  }
  if (m.state.pausedAt !== undefined) waits.push({ kind: 'paused', since: iso(m.state.pausedAt), until: null });
  return waits;
}

const MAX_WAITS = 100;

function waitOf(node: StepNode): Json | undefined {
  if (node.gate) {
    const { approvalId, since, dueAt } = node.gate;
    return {
      kind: 'approval',
      step_path: node.path,
      approvalId,
      since: iso(since),
      until: dueAt === undefined ? null : iso(dueAt),
    };
  }
  if (node.attention) {
    const { code, message, since } = node.attention;
    return { kind: 'attention', step_path: node.path, code, message, since: iso(since), until: null };
  }
  if (node.retry?.reason !== undefined) {
    const { reason, source = null, since, at } = node.retry;
    return { kind: 'source', step_path: node.path, reason, source, since: iso(since), until: iso(at) };
  }
  if (node.retry)
    return { kind: 'retry', step_path: node.path, since: iso(node.retry.since), until: iso(node.retry.at) };
  if (node.child?.runId)
    return { kind: 'child', step_path: node.path, runId: node.child.runId, since: iso(node.startedAt), until: null };
  return undefined;
}

function iso(time: number): string {
  return new Date(time).toISOString();
}
