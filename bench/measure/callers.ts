import type { CpuTimes } from './cpu';
import { quantile } from './stats';

/** One measurement of one implementation: rates in runs (or requests) a second, times in ms, CPU in ms a run by process. */
export interface Sample {
  rate: number;
  p50: number;
  p95: number;
  p99: number;
  cpu: CpuTimes;
  /** Number of steps of each run; undefined where steps are not measured. */
  steps?: number;
}

export interface Meter {
  /** CPU times of all processes that take part, since the start of the clock. */
  read(): CpuTimes;
  between(before: CpuTimes, later: CpuTimes): CpuTimes;
}

/** Makes `count` runs with so many callers, each of which begins its next run when the one before is done and checked. */
export async function measure(
  meter: Meter,
  load: { callers: number; count: number },
  run: (no: number) => Promise<number | void>,
): Promise<Sample> {
  const times: number[] = [];
  let next = 0;
  const before = meter.read();
  const began = performance.now();
  const caller = async (): Promise<void> => {
    while (next < load.count) {
      const no = next++;
      const from = performance.now();
      const own = await run(no);
      times.push(own ?? performance.now() - from);
    }
  };
  await Promise.all(Array.from({ length: load.callers }, caller));
  const seconds = (performance.now() - began) / 1_000;
  const cpu = meter.between(before, meter.read());
  const each = Object.fromEntries(Object.entries(cpu).map(([name, ms]) => [name, ms / load.count]));
  const [p50, p95, p99] = [quantile(times, 0.5), quantile(times, 0.95), quantile(times, 0.99)];
  return { rate: load.count / seconds, p50, p95, p99, cpu: each };
}

/** CPU of all processes together. */
export function cpuOf({ cpu }: Sample): number {
  return Object.values(cpu).reduce((sum, ms) => sum + ms, 0);
}
