import { isContentLost } from '../errors/content-lost';
import type { StepError } from '../errors/app-error';
import { itemsAgain, scheduleItems } from './each';
import { storeIfLarge } from './each-results';
import { loopTurn } from './loop';
import { eachOf, emit, type Machine } from './machine';
import type { AttentionState, EachState, OpenCommand, StepNode } from './state';

/** Replay-sensitive. A step that waits for a person's decision on what to do with it. */

export function askPerson(m: Machine, node: StepNode, { code, message }: StepError): undefined {
  node.phase = 'attention';
  node.attention = { code, message, since: m.now };
  emit(m, 'step.waiting', node.path, {
    step: node.name,
    reason: 'attention',
    since: new Date(m.now).toISOString(),
    code,
    message,
  });
}

/** An open step is carried out again, when the run may begin things. */
export function requeueStep(m: Machine, node: StepNode): void {
  node.phase = 'preparing';
  m.state.ready.push({ frame: node.frame, step: node.name, path: node.path });
}

/**
 * Makes a step wait whose condition, list or text reads lost content, until somebody has restored it. False: the
 * failure is another one, or the run follows the older rule, by which it failed the step.
 */
export function waitsForContent(m: Machine, node: StepNode, open: OpenCommand, error: StepError): boolean {
  if (!isContentLost(error) || !m.newer('lost-content')) return false;
  askPerson(m, node, error);
  const reads = open.kind === 'load' ? open.purpose : open.kind;
  if (node.attention && (reads === 'items' || reads === 'condition' || reads === 'store')) node.attention.reads = reads;
  return true;
}

/** The content is restored: it is read again, and nothing else of the step is repeated. */
export function readAgain(m: Machine, node: StepNode, { reads }: AttentionState): string | undefined {
  if (node.each || node.loop) node.phase = 'container';
  if (node.each) return listAgain(m, node, node.each);
  if (node.loop) return loopTurn(m, node);
  requeueStep(m, node);
  const item = m.state.ready.at(-1);
  if (item && reads === 'condition') item.judge = true;
  return undefined;
}

/** Items may be lost while results are kept, and the reverse: what is not already being loaded is requested again. */
function listAgain(m: Machine, node: StepNode, each: EachState): string | undefined {
  const isOpen = (kind: OpenCommand['kind']): boolean =>
    Object.values(m.state.open).some((open) => open.kind === kind && 'path' in open && open.path === node.path);
  if (each.storing && !isOpen('store')) {
    delete each.storing;
    storeIfLarge(m, node);
  }
  if (each.loading && !isOpen('load')) itemsAgain(m, node);
  return scheduleItems(m, node);
}

/** Ends a list that cannot be read, unless a person has it read again: it fails once nothing of it is in flight. */
export function giveUpList(m: Machine, node: StepNode, { code, message }: AttentionState): string | undefined {
  const each = eachOf(node);
  delete each.loading;
  delete each.storing;
  node.phase = 'container';
  each.broken ??= { code, message, category: 'internal', retryable: false };
  return scheduleItems(m, node);
}
