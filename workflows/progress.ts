import type { Json } from '../core/base/json';
import type { PlanIndex } from '../core/engine/machine';
import type { EngineState, ScopeEntry, StepNode } from '../core/engine/state';
import type { Approvers } from '../core/playbook/types';
import { shortfallText } from '../core/report/shortfall-text';

/** Replay-sensitive. What operators read on the run's page in Temporal Web. */

export function progressText(index: PlanIndex, state: EngineState, status: string): string {
  const { name, version } = index.plan.playbook;
  const title = version === undefined ? name : `${name} (${version})`;
  const parts = [
    `**${title}**`,
    `${status}, ${state.stepsDone} of ${index.counted} steps done.`,
    ownSteps(index, state).join('\n'),
    ...asked(index, state),
  ];
  return parts.filter((part) => part !== '').join('\n\n');
}

const MOST_STEPS = 50;
const MOST_LINES = 20;

/** The playbook's own steps, including those without an event in the history, and what is open below them. */
function ownSteps(index: PlanIndex, state: EngineState): string[] {
  const top = Object.values(state.frames).find((frame) => frame.owner === '');
  const open = Object.values(state.nodes).filter((node) => node.phase !== 'container');
  const entries = state.scopes['']?.entries ?? {};
  const own = (top?.steps ?? []).slice(0, MOST_STEPS).map((name) => {
    const begun = top?.begun[name];
    const node = state.nodes[name];
    if (begun === 'closed') return `- \`${name}\`: ${endOf(name, entries[index.steps.get(name)?.key ?? ''])}`;
    const open = node ? phaseOf(node) : 'begun';
    return `- \`${name}\`: ${begun === undefined ? 'not begun' : open}`;
  });
  const left = (top?.steps.length ?? 0) - own.length;
  const inner = open.filter((node) => node.path !== node.name).slice(0, MOST_LINES);
  return [
    ...own,
    ...(left > 0 ? [`- and ${left} more`] : []),
    ...inner.map((node) => `- \`${node.path}\`: ${phaseOf(node)}`),
  ];
}

/** End of a step of the playbook's own list; gaps of results that it read are shown with those. */
function endOf(path: string, entry: ScopeEntry | undefined): string {
  if (entry?.status === 'failed') return `failed: ${entry.error?.code ?? 'unknown'}`;
  const own = (entry?.lacks ?? []).filter(({ step }) => step === path).map(({ message }) => message);
  const why = own.length === 0 ? '' : `: ${own.join('; ')}`;
  if (entry?.status === 'skipped') return `skipped${why}`;
  return own.length === 0 ? 'done' : `done, not complete${why}`;
}

/** Lines for each waiting request: who may decide, until when, and missing data that it depends on. */
function asked(index: PlanIndex, state: EngineState): string[] {
  const gates = Object.values(state.nodes).filter(({ phase, gate }) => phase === 'gate' && gate !== undefined);
  return gates.slice(0, MOST_LINES).map((node) => {
    const step = index.steps.get(node.name);
    const rules = step?.kind === 'approval' ? step.rules : undefined;
    const due = node.gate?.dueAt;
    const until = due === undefined ? 'without a time limit' : `until ${new Date(due).toISOString()}`;
    const quorum = rules?.quorum === undefined ? '' : `, ${rules.quorum} of them`;
    const request = `Waits for a decision on \`${node.path}\` by ${whoOf(rules?.approvers)}${quorum}, ${until} (approval ${node.gate?.approvalId ?? ''}).`;
    const missing = (node.gate?.failures ?? []).map((failure) => `- ! ${shortfallText(failure)}`);
    return missing.length === 0 ? request : [request, '', ...missing].join('\n');
  });
}

function whoOf(approvers: Approvers | undefined): string {
  const { users = [], teams = [], scopes = [] } = approvers ?? {};
  const named = [...users, ...teams.map((team) => `team ${team}`), ...scopes.map((scope) => `scope ${scope}`)];
  return named.length === 0 ? "the run's owner" : named.slice(0, MOST_LINES).join(', ');
}

export function summaryText(state: EngineState): string {
  return [`${state.stepsDone} steps done`, ...lines(state)].join('\n');
}

function lines(state: EngineState): string[] {
  return Object.values(state.nodes)
    .filter((node) => node.phase !== 'container')
    .slice(0, MOST_LINES)
    .map((node) => `- \`${node.path}\`: ${phaseOf(node)}`);
}

function phaseOf(node: StepNode): string {
  return node.attention ? `needs attention: ${node.attention.message}` : PHASES[node.phase];
}

const PHASES = {
  preparing: 'preparing',
  running: 'running',
  retry_wait: 'waits for its next try',
  gate: 'waits for a decision',
  attention: 'needs attention',
  container: '',
  child: 'a playbook of its own is running',
} as const;

/** The state without the data that flows through it. */
export function summarise(state: EngineState): Json {
  return {
    steps_done: state.stepsDone,
    paused: state.paused,
    partial: state.partial,
    closing: state.closing?.status ?? null,
    open: Object.keys(state.open).length,
    steps: Object.values(state.nodes)
      .slice(0, 100)
      .map((node) => ({ path: node.path, phase: node.phase, try_no: node.tryNo })),
  };
}
