import { beginStep, continueStep, dispatch, rerunStep } from './begin';
import { itemDone } from './each';
import { launchFrame } from './frames';
import { loopTurn } from './loop';
import { frameOf, nodeAt, openTimer, stepOf, type Machine } from './machine';
import { routeDone } from './route';
import { inlineValue, settleOk } from './settle';
import type { ReadyItem } from './state';

/** Replay-sensitive. Goes on after a step closed: next steps of its list, or the end of the list. */
export function afterClosed(m: Machine, closed: string | undefined): void {
  let frameId = closed;
  while (frameId !== undefined) {
    const frame = frameOf(m, frameId);
    if (frame.closed < frame.steps.length) {
      launchFrame(m, frameId);
      return;
    }
    frameId = frameDone(m, frameId);
  }
}

/** Returns the frame of the owner when the owner closed with this list. */
function frameDone(m: Machine, frameId: string): string | undefined {
  const frame = frameOf(m, frameId);
  if (frame.owner === '') return undefined;
  const node = nodeAt(m, frame.owner);
  if (!node) return undefined;
  const step = stepOf(m, node.name);
  switch (step.kind) {
    case 'for_each':
      return itemDone(m, frameId);
    case 'loop':
      delete m.state.frames[frameId];
      return loopTurn(m, node);
    case 'route':
      delete m.state.frames[frameId];
      return routeDone(m, node);
    case 'parallel':
      delete m.state.frames[frameId];
      return settleOk(m, node, inlineValue({ count: frame.steps.length, failed_count: frame.failed }));
    default:
      return undefined;
  }
}

/** An inline step costs about as much as this many bytes of inline data. */
const STEP_COST = 2000;

/** Begins everything that may begin now. */
export function scheduleReady(m: Machine): void {
  const { state } = m;
  while (state.ready.length > 0 && !state.paused && !state.closing && !m.draining) {
    if (m.inlineBudget < 0) {
      askForTick(m);
      return;
    }
    const ready = state.ready;
    state.ready = [];
    for (const [at, item] of ready.entries()) {
      if (state.closing) return;
      if (m.inlineBudget < 0) {
        state.ready = [...ready.slice(at), ...state.ready];
        break;
      }
      m.inlineBudget -= STEP_COST;
      afterClosed(m, begin(m, item));
    }
  }
}

function begin(m: Machine, item: ReadyItem): string | undefined {
  if (item.path === undefined) return beginStep(m, item.frame, item.step);
  const node = nodeAt(m, item.path);
  if (!node) return undefined;
  if (item.verdict !== undefined) return continueStep(m, node, item.verdict);
  if (item.judge) return continueStep(m, node);
  return item.loaded ? dispatch(m, node, stepOf(m, node.name)) : rerunStep(m, node);
}

/** Long inline work is cut: the workflow must answer its server between two pieces. */
function askForTick(m: Machine): void {
  const ticking = Object.values(m.state.open).some((open) => open.kind === 'timer' && open.purpose === 'yield');
  if (!ticking) openTimer(m, { purpose: 'yield', path: '', at: m.now + 1 });
}
