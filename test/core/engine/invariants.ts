import type { Command } from '../../../core/engine/commands';
import type { Frame } from '../../../core/engine/state';
import type { MadePlan } from './random-plans';
import type { Simulator } from './simulator';

/** A run that is watched. */
export interface Watched {
  readonly sim: Simulator;
  readonly made: MadePlan;
  /** Number of executions of each effect key. */
  readonly performed: ReadonlyMap<string, number>;
  seenAtEnd: Snapshot | undefined;
}

/** State of a run at one moment. */
export interface Snapshot {
  commands: number;
  events: number;
  /** Paths whose success an activity recorded and the engine was told. */
  recordedOk: string[];
  ok: Set<string>;
  closed: Map<string, number>;
  eventIds: Set<string>;
  frames: Map<string, Frame>;
  begun: Set<string>;
  effects: Map<string, string>;
}

export function snapshot(): Snapshot {
  return {
    commands: 0,
    events: 0,
    recordedOk: [],
    ok: new Set(),
    closed: new Map(),
    eventIds: new Set(),
    frames: new Map(),
    begun: new Set(),
    effects: new Map(),
  };
}

/** The prefix of a step's list and the step that it reads from. */
export function expectedBefore(made: MadePlan, path: string): { before?: string; prefix: string } {
  const at = path.lastIndexOf('/') + 1;
  const before = made.facts.get(path.slice(at))?.before;
  return before === undefined ? { prefix: path.slice(0, at) } : { before, prefix: path.slice(0, at) };
}

function fail(why: string): never {
  throw new Error(why);
}

function countClosings(chaos: Watched, seen: Snapshot): void {
  const { sim } = chaos;
  const close = (path: string): void => void seen.closed.set(path, (seen.closed.get(path) ?? 0) + 1);
  for (const event of sim.events.slice(seen.events)) {
    if (seen.eventIds.has(event.id)) fail(`event id ${event.id} twice`);
    seen.eventIds.add(event.id);
    const path = event.step_path ?? '';
    if (event.type === 'step.finished' || event.type === 'step.skipped') close(path);
    if (event.type === 'step.skipped' && event.payload['reason'] === 'condition') conditionWasFalse(chaos, seen, path);
  }
  seen.events = sim.events.length;
  for (const path of seen.recordedOk.splice(0)) {
    if (path.includes('~') || path.startsWith('$')) continue;
    seen.ok.add(path);
    close(path);
  }
  for (const [path, times] of seen.closed) if (times > 1) fail(`${path} closed ${times} times`);
}

function conditionWasFalse(chaos: Watched, seen: Snapshot, path: string): void {
  const { before, prefix } = expectedBefore(chaos.made, path);
  if (before !== undefined && (seen.ok.has(prefix + before) || seen.recordedOk.includes(prefix + before)))
    fail(`${path} was skipped although ${before} has a result`);
}

function begins(command: Command): boolean {
  return command.kind === 'run' || command.kind === 'child';
}

function checkCommands(chaos: Watched, seen: Snapshot): void {
  const { sim } = chaos;
  const { state } = sim;
  if (sim.closingBefore && sim.last.some(begins)) fail('something begins while the run is ending');
  if (state.paused && sim.last.some(begins)) fail('something begins while the run is paused');
  if (sim.draining && sim.last.some(begins)) fail('something begins while the run drains');
  for (const command of sim.last) {
    if (command.kind !== 'run') continue;
    for (const unit of command.units) {
      const other = seen.effects.get(unit.effectKey);
      if (other !== undefined && other !== unit.path) fail(`effect key ${unit.effectKey} at ${other} and ${unit.path}`);
      seen.effects.set(unit.effectKey, unit.path);
      if (unit.path.startsWith('$')) continue;
      if (!unit.path.includes('~')) seen.begun.add(unit.path);
      if (seen.closed.has(unit.path)) fail(`${unit.path} begins after it closed`);
    }
  }
  sim.last = [];
}

function checkOpen(chaos: Watched): void {
  const { state, open } = chaos.sim;
  const held = Object.keys(state.open).sort();
  const sent = [...open.keys()].sort();
  if (JSON.stringify(held) !== JSON.stringify(sent))
    fail(`the engine waits for ${held.join(' ')}, in flight are ${sent.join(' ')}`);
}

function checkFrames(chaos: Watched, seen: Snapshot): void {
  const { state } = chaos.sim;
  for (const [id, frame] of Object.entries(state.frames)) {
    seen.frames.set(id, frame);
    if (frame.closed > frame.steps.length) fail(`${id} closed more than it has`);
  }
  for (const node of Object.values(state.nodes)) {
    if (!node.path.includes('~')) seen.begun.add(node.path);
    const step = chaos.sim.index.steps.get(node.name);
    if (node.each && step?.kind === 'for_each' && node.each.active > step.max_parallel)
      fail(`${node.path} works on ${node.each.active} items`);
  }
}

/**
 * Checks in memory what test/support/open-ends checks in rows, whatever ended the run: nothing is in flight, and one
 * last event says how it ended. Steps that are open in the stream then are closed with the row (test/db/whole-trees).
 */
function checkEnds({ sim }: Watched): void {
  if (sim.open.size > 0) fail(`in flight at the end: ${[...sim.open.keys()].join(' ')}`);
  const said = sim.events.filter(({ type }) => type === 'complete');
  const [last] = said;
  if (said.length !== 1 || last !== sim.events.at(-1) || last?.payload['status'] !== sim.finish?.status)
    fail(`the run ended ${sim.finish?.status}, its events say ${JSON.stringify(said)}`);
}

export const check = {
  step(chaos: Watched, seen: Snapshot): void {
    countClosings(chaos, seen);
    checkCommands(chaos, seen);
    checkOpen(chaos);
    checkFrames(chaos, seen);
    chaos.seenAtEnd = seen;
  },

  end(chaos: Watched): void {
    const { sim, seenAtEnd: seen } = chaos;
    if (!seen) return;
    for (const [key, times] of chaos.performed) if (times > 1) fail(`${key} was carried out ${times} times`);
    checkEnds(chaos);
    const { status, code, message } = sim.finish ?? {};
    if (status !== 'complete' && status !== 'partial') return;
    // An end on purpose closes the rest with the row, as a stop does.
    if (code === 'ended_by_playbook') return;
    if ((message !== undefined) !== (status === 'partial')) fail(`a run that is ${status} says: ${message}`);
    if (Object.keys(sim.state.nodes).length > 0) fail(`open at the end: ${Object.keys(sim.state.nodes).join(' ')}`);
    for (const path of seen.begun) if (seen.closed.get(path) !== 1) fail(`${path} began and did not close`);
    for (const [id, frame] of seen.frames) {
      for (const name of frame.steps)
        if (seen.closed.get(frame.prefix + name) !== 1) fail(`${frame.prefix + name} of list ${id} did not close`);
    }
  },
};
