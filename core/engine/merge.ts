import { BATCH_ITEMS, batches } from './each';
import { frameOf, nodeAt, stepOf, type Machine } from './machine';
import type { Command, RunCommand } from './commands';
import { SEGMENT_LIMIT } from './units';

/** Replay-sensitive. Puts the short steps of neighbouring items of one map into common segments. */
export function mergeItems(m: Machine): void {
  const merged: Command[] = [];
  let last: { command: RunCommand; owner: string; items: number } | undefined;
  for (const command of m.commands) {
    const owner = command.kind === 'run' ? batchOwner(m, command) : undefined;
    if (command.kind !== 'run' || owner === undefined) {
      merged.push(command);
      continue;
    }
    const fits =
      last?.owner === owner &&
      last.items < BATCH_ITEMS &&
      last.command.units.length + command.units.length <= SEGMENT_LIMIT;
    if (last && fits) {
      join(m, last.command, command);
      last.items += 1;
    } else {
      last = { command, owner, items: 1 };
      merged.push(command);
    }
  }
  m.commands = merged;
}

function batchOwner(m: Machine, command: RunCommand): string | undefined {
  const first = command.units[0];
  const node = first && nodeAt(m, first.path);
  if (!first || !node || first.tryNo > 1 || command.queue !== 'main') return undefined;
  const owner = frameOf(m, node.frame).owner;
  const each = nodeAt(m, owner);
  const step = each && stepOf(m, each.name);
  return each?.each && step?.kind === 'for_each' && batches(m, step, each.each.total) ? owner : undefined;
}

function join(m: Machine, target: RunCommand, extra: RunCommand): void {
  target.units.push(...extra.units);
  target.activity = 'segment';
  target.summary = `${target.units[0]?.path ?? ''} … ${extra.units.at(-1)?.path ?? ''} (${target.units.length} steps)`;
  const open = m.state.open[target.id];
  if (open?.kind === 'run') open.paths.push(...extra.units.map((unit) => unit.path));
  delete m.state.open[extra.id];
}
