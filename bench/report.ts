import { CLAIMS, valueOf, type Claim, type Samples } from './claims';
import { CONNECTOR_CLAIMS } from './connectors/claims';
import { startReport, type Starts } from './cold-start';
import type { ManyWaitingResult } from './many-waiting';
import type { MemoryReadings } from './memory';
import { memoryReport } from './memory-report';
import { apiReport } from './api/report';
import { cpuOf, type Sample } from './measure/callers';
import { median } from './measure/stats';

/** Tables in Markdown, and the goals that were missed. */
export interface Report {
  text: string;
  failed: string[];
}

/** Lines of a table without comparisons. */
const HEAD = 2;

export interface Measured {
  samples: Samples;
  memory: MemoryReadings;
  waiting?: ManyWaitingResult;
  starts?: Starts;
}

export function report({ samples, memory, waiting, starts }: Measured): Report {
  const lines = [
    '| comparison | product | bare | ratio (rounds) | floor | aim | |',
    '| --- | --- | --- | --- | --- | --- | --- |',
  ];
  const failed: string[] = [];
  for (const claim of [...CLAIMS, ...CONNECTOR_CLAIMS]) {
    const judged = judge(claim, samples);
    if (!judged) continue;
    lines.push(judged.line);
    if (judged.missed) failed.push(`${claim.title} / ${claim.bare}: ${judged.ratio.toFixed(2)}, floor ${claim.floor}`);
  }
  if (waiting) lines.push(waitingLine(waiting));
  const start = starts === undefined ? { lines: [], failed: [] } : startReport(starts);
  lines.push(...start.lines);
  lines.push(...hugeLines(samples));
  const inMemory = memoryReport(memory);
  const api = apiReport(samples);
  const tables = [lines.length > HEAD ? lines : [], inMemory.lines, api.lines, details(samples)];
  return {
    text: tables.flatMap((each) => (each.length > 0 ? [each.join('\n')] : [])).join('\n\n'),
    failed: [...failed, ...start.failed, ...inMemory.failed, ...api.failed],
  };
}

function judge(claim: Claim, samples: Samples): { line: string; ratio: number; missed: boolean } | undefined {
  const product = samples.get(`${claim.scenario}/${claim.product}`);
  const bare = samples.get(`${claim.scenario}/${claim.bare}`);
  if (!product || !bare) return undefined;
  const ratios = product.map((sample, round) => {
    const beside = bare[round];
    return valueOf(sample, claim.measure) / (beside === undefined ? Number.NaN : valueOf(beside, claim.measure));
  });
  const ratio = median(ratios);
  const value = (each: Sample[]): string => {
    const middle = median(each.map((sample) => valueOf(sample, claim.measure)));
    return claim.measure === 'rate' ? `${middle.toFixed(1)} ${claim.unit ?? 'runs/s'}` : `${middle.toFixed(1)} ms`;
  };
  const missed = claim.floor !== undefined && isWorse(claim, ratio, claim.floor);
  const verdict =
    claim.floor === undefined
      ? ''
      : missed
        ? 'below the floor'
        : isWorse(claim, ratio, claim.aim ?? claim.floor)
          ? 'ok'
          : 'aim reached';
  const rounds = ratios.map((each) => each.toFixed(2)).join(' ');
  const name = `${claim.title} / ${claim.bare}`;
  const line = `| ${name} | ${value(product)} | ${value(bare)} | **${ratio.toFixed(2)}** (${rounds}) | ${claim.floor ?? ''} | ${claim.aim ?? ''} | ${verdict} |`;
  return { line, ratio, missed };
}

function isWorse(claim: Claim, ratio: number, bound: number): boolean {
  return claim.measure === 'rate' ? !(ratio >= bound) : !(ratio <= bound);
}

function waitingLine({ waiting, product, bare }: ManyWaitingResult): string {
  const few = `with 100 waiting: ${product.approveFew.toFixed(1)} ms, bare ${bare.approveFew.toFixed(1)} ms`;
  return `| approve with ${waiting} waiting, p50 | ${product.approveAll.toFixed(1)} ms | ${bare.approveAll.toFixed(1)} ms | ${few} | | | |`;
}

/** Figures without a goal: no alternative takes such a document. How often its bytes are passed over is counted by a test (test/workflows/large-values). */
function hugeLines(samples: Samples): string[] {
  const each = samples.get('W5/pure');
  if (each === undefined) return [];
  const seconds = median(each.map((sample) => cpuOf(sample) / 1_000)).toFixed(2);
  return [`| W5, 10 MB through 10 pure steps, CPU | ${seconds} s | | | | | |`];
}

/** CPU of a run or a request by process; 0 where a process took no part. */
function details(samples: Samples): string[] {
  if (samples.size === 0) return [];
  const names = [
    ...new Set([...samples.values()].flatMap((each) => each.flatMap((sample) => Object.keys(sample.cpu)))),
  ];
  const head = `| scenario / implementation | CPU ms a step | runs, calls or requests/s | p50 ms | p99 ms | CPU ms each | ${names.join(' | ')} |`;
  const rows = [...samples].map(([key, each]) => {
    const middle = (pick: (sample: Sample) => number): string => median(each.map(pick)).toFixed(1);
    const total = middle(cpuOf);
    const steps = each[0]?.steps;
    const step = steps === undefined ? '' : median(each.map((sample) => cpuOf(sample) / steps)).toFixed(2);
    const byProcess = names.map((name) => middle((sample) => sample.cpu[name] ?? 0)).join(' | ');
    return `| ${key} | ${step} | ${middle((s) => s.rate)} | ${middle((s) => s.p50)} | ${middle((s) => s.p99)} | ${total} | ${byProcess} |`;
  });
  return [head, `|${' --- |'.repeat(names.length + 6)}`, ...rows];
}
