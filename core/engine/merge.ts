import { BATCH_ITEMS, batches } from './each';
import { frameOf, nodeAt, stepOf, type Machine } from './machine';
import type { Command, RunCommand } from './commands';
import { SEGMENT_LIMIT, traitsOf } from './units';

/** A parallel list with fewer steps has an activity for each. */
const PARALLEL_FROM = 20;
/** Segments that the short steps of one parallel list travel in, side by side. */
const SIDE_BY_SIDE = 4;

interface Batch {
  owner: string;
  /** Commands of the owner that share a segment at most. */
  most: number;
}

/** Replay-sensitive. Puts short steps that begin together into common segments: of neighbouring items of a map, and of a long parallel list. */
export function mergeShort(m: Machine): void {
  const merged: Command[] = [];
  let last: { command: RunCommand; owner: string; count: number } | undefined;
  for (const command of m.commands) {
    const batch = command.kind === 'run' ? batchOf(m, command) : undefined;
    if (command.kind !== 'run' || batch === undefined) {
      merged.push(command);
      continue;
    }
    const fits =
      last?.owner === batch.owner &&
      last.count < batch.most &&
      last.command.units.length + command.units.length <= SEGMENT_LIMIT;
    if (last && fits) {
      join(m, last.command, command);
      last.count += 1;
    } else {
      last = { command, owner: batch.owner, count: 1 };
      merged.push(command);
    }
  }
  m.commands = merged;
}

function batchOf(m: Machine, command: RunCommand): Batch | undefined {
  const first = command.units[0];
  const node = first && nodeAt(m, first.path);
  if (!first || !node || first.tryNo > 1 || command.queue !== 'main') return undefined;
  const frame = frameOf(m, node.frame);
  const holder = nodeAt(m, frame.owner);
  const step = holder && stepOf(m, holder.name);
  if (holder?.each && step?.kind === 'for_each')
    return batches(m, step, holder.each.total) ? { owner: frame.owner, most: BATCH_ITEMS } : undefined;
  if (frame.mode !== 'parallel' || !traitsOf(m, first.action).short || node.approved) return undefined;
  const most = Math.min(Math.ceil(frame.steps.length / SIDE_BY_SIDE), SEGMENT_LIMIT);
  const isLong = frame.steps.length >= PARALLEL_FROM && m.newer('parallel-segments');
  return isLong ? { owner: frame.owner, most } : undefined;
}

function join(m: Machine, target: RunCommand, extra: RunCommand): void {
  target.units.push(...extra.units);
  target.activity = 'segment';
  target.summary = `${target.units[0]?.path ?? ''} … ${extra.units.at(-1)?.path ?? ''} (${target.units.length} steps)`;
  const open = m.state.open[target.id];
  if (open?.kind === 'run') open.paths.push(...extra.units.map((unit) => unit.path));
  delete m.state.open[extra.id];
}
