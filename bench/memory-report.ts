import { type MemoryMb } from './measure/memory';
import { AFTER_MANY, AFTER_SOME, collected, IDLE, WAITING_PRODUCT, type MemoryReadings } from './memory';

interface Goal {
  /** Highest allowed memory in MB. */
  floor: number;
  aim: number;
}

/** Memory of API and worker together. */
const GOALS = new Map<string, Goal>([
  [IDLE, { floor: 400, aim: 300 }],
  [WAITING_PRODUCT, { floor: 80, aim: 40 }],
]);
/** "Flat": what is kept after 10,000 runs, by what was kept after 1,000. */
const FLAT: Goal = { floor: 1.1, aim: 1.05 };

/** One line for each reading; nothing when none was taken. */
export function memoryReport(readings: MemoryReadings): { lines: string[]; failed: string[] } {
  if (readings.size === 0) return { lines: [], failed: [] };
  const names = [...new Set([...readings.values()].flatMap((reading) => Object.keys(reading)))];
  const failed: string[] = [];
  const lines = [
    `| memory (PSS), MB | API and worker | floor | aim | | ${names.join(' | ')} |`,
    `|${' --- |'.repeat(names.length + 5)}`,
  ];
  for (const [name, reading] of readings) {
    const ours = ofProduct(reading);
    const goal = goalOf(name, readings);
    const verdict =
      goal === undefined ? '' : ours > goal.floor ? 'below the floor' : ours > goal.aim ? 'ok' : 'aim reached';
    if (goal && ours > goal.floor) failed.push(`memory ${name}: ${ours.toFixed(0)} MB, at most ${mb(goal.floor)}`);
    const each = names.map((process) => reading[process]?.toFixed(0) ?? '').join(' | ');
    lines.push(
      `| ${name} | ${mb(ours)} | ${goal ? mb(goal.floor) : ''} | ${goal ? mb(goal.aim) : ''} | ${verdict} | ${each} |`,
    );
  }
  return { lines, failed };
}

function goalOf(name: string, readings: MemoryReadings): Goal | undefined {
  const some = readings.get(collected(AFTER_SOME));
  if (name !== collected(AFTER_MANY) || some === undefined) return GOALS.get(name);
  return { floor: FLAT.floor * ofProduct(some), aim: FLAT.aim * ofProduct(some) };
}

/** Sum of the processes that grew: what another process has freed meanwhile does not count against it. */
function ofProduct({ api = 0, worker = 0 }: MemoryMb): number {
  return Math.max(0, api) + Math.max(0, worker);
}

function mb(value: number): string {
  return value.toFixed(0);
}
