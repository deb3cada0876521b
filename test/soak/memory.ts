import { residentMb } from '../../bench/measure/cpu';

export interface Sample {
  /** Minutes since the beginning. */
  minute: number;
  /** Resident memory in MB, after a collection. */
  mb: number;
}

/** Signals the process to collect its garbage; what it holds a moment later is what counts. */
export class MemoryWatch {
  private readonly timer: NodeJS.Timeout;
  private readonly begun = Date.now();

  constructor(pid: number, everyMs: number, samples: Sample[]) {
    this.timer = setInterval(() => {
      process.kill(pid, 'SIGUSR2');
      setTimeout(() => {
        const mb = residentMb(pid);
        if (mb > 0) samples.push({ minute: (Date.now() - this.begun) / 60_000, mb });
      }, 1_000).unref();
    }, everyMs);
  }

  stop(): void {
    clearInterval(this.timer);
  }
}

/** Growth in MB an hour: the slope of the least squares line through the samples from a minute on. */
export function growth(samples: readonly Sample[], fromMinute: number): number | undefined {
  const taken = samples.filter(({ minute }) => minute >= fromMinute);
  if (taken.length < 3) return undefined;
  const mean = (of: (sample: Sample) => number) => taken.reduce((sum, sample) => sum + of(sample), 0) / taken.length;
  const [x, y] = [mean(({ minute }) => minute), mean(({ mb }) => mb)];
  const up = taken.reduce((sum, { minute, mb }) => sum + (minute - x) * (mb - y), 0);
  const across = taken.reduce((sum, { minute }) => sum + (minute - x) ** 2, 0);
  return across === 0 ? undefined : (up / across) * 60;
}
