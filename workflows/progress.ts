import type { Json } from '../core/base/json';
import type { PlanIndex } from '../core/engine/machine';
import type { EngineState } from '../core/engine/state';

/** Replay-sensitive. What operators read on the run's page in Temporal Web. */

export function progressText(index: PlanIndex, state: EngineState, status: string): string {
  const { name, version } = index.plan.playbook;
  const title = version === undefined ? name : `${name} (${version})`;
  return `**${title}**\n\n${status}, ${state.stepsDone} of ${index.counted} steps done.\n\n${lines(state).join('\n')}`;
}

export function summaryText(state: EngineState): string {
  return [`${state.stepsDone} steps done`, ...lines(state)].join('\n');
}

function lines(state: EngineState): string[] {
  return Object.values(state.nodes)
    .filter((node) => node.phase !== 'container')
    .slice(0, 20)
    .map(
      (node) =>
        `- \`${node.path}\`: ${node.attention ? `needs attention: ${node.attention.message}` : PHASES[node.phase]}`,
    );
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
