import { CLAIMS, valueOf, WAITING_MB, type Claim, type Samples } from './claims';
import { CONNECTOR_CLAIMS } from './connectors/claims';
import type { ManyWaitingResult } from './many-waiting';
import { apiReport } from './api/report';
import { cpuOf, type Sample } from './measure/callers';
import { median } from './measure/stats';

/** Tables in Markdown, and what missed its floor. */
export interface Report {
  text: string;
  failed: string[];
}

/** Lines of a table that compares nothing. */
const HEAD = 2;

export function report(samples: Samples, manyWaiting: ManyWaitingResult | undefined): Report {
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
  if (manyWaiting) {
    lines.push(...manyWaitingLines(manyWaiting));
    if (manyWaiting.product.addedMb > WAITING_MB)
      failed.push(`waiting runs add ${manyWaiting.product.addedMb.toFixed(0)} MB, floor ${WAITING_MB}`);
  }
  const api = apiReport(samples);
  const tables = [lines.length > HEAD ? lines : [], api.lines, details(samples)].filter((each) => each.length > 0);
  return { text: tables.map((each) => each.join('\n')).join('\n\n'), failed: [...failed, ...api.failed] };
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

function manyWaitingLines({ waiting, product, bare }: ManyWaitingResult): string[] {
  const ok = product.addedMb <= WAITING_MB ? 'ok' : 'below the floor';
  const approve = `${product.approveAll.toFixed(1)} ms | ${bare.approveAll.toFixed(1)} ms | with 100 waiting: ${product.approveFew.toFixed(1)} ms, bare ${bare.approveFew.toFixed(1)} ms`;
  return [
    `| ${waiting} waiting runs, memory added to the worker | ${product.addedMb.toFixed(0)} MB | ${bare.addedMb.toFixed(0)} MB | | ${WAITING_MB} MB | | ${ok} |`,
    `| approve with ${waiting} waiting, p50 | ${approve} | | | |`,
  ];
}

/** CPU of a run or a request by process; 0 where a process took no part. */
function details(samples: Samples): string[] {
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
