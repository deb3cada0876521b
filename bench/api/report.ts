import type { Samples } from '../claims';
import type { Sample } from '../measure/callers';
import { median } from '../measure/stats';
import { BARE_START, FLOORS, LIVE, LIVE_SCENARIO, type Bound } from './floors';

/** One line for each kind of request; nothing when none was measured. */
export function apiReport(samples: Samples): { lines: string[]; failed: string[] } {
  const live = samples.get(`${LIVE_SCENARIO}/${LIVE}`);
  if (!live) return { lines: [], failed: [] };
  const failed: string[] = [];
  const lines = [
    `| request, 20 clients | requests/s | p50 ms | p95 ms | requests/s of ${LIVE} (rounds) | floor | aim | |`,
    '| --- | --- | --- | --- | --- | --- | --- | --- |',
    row(LIVE, live, '', ['', '', '']),
  ];
  for (const { scenario, floor, aim } of FLOORS) {
    for (const [key, each] of samples) {
      if (!key.startsWith(`${scenario}/`)) continue;
      const name = key.slice(scenario.length + 1);
      if (name === BARE_START) {
        lines.push(row(name, each, ratioOf(each, live), ['', '', '']));
        continue;
      }
      const missed = !meets(each, floor);
      const verdict = missed ? 'below the floor' : meets(each, aim) ? 'aim reached' : 'ok';
      lines.push(row(name, each, ratioOf(each, live), [text(floor), text(aim), verdict]));
      const { rate, p95 } = middle(each);
      if (missed) failed.push(`${name}: ${text({ rate, p95 })}, floor ${text(floor)}`);
    }
  }
  return { lines, failed };
}

function row(name: string, each: Sample[], ratio: string, rest: string[]): string {
  const { rate, p50, p95 } = middle(each);
  return `| ${[name, rate.toFixed(1), p50.toFixed(1), p95.toFixed(1), ratio, ...rest].join(' | ')} |`;
}

/** Median of the rounds. */
function middle(each: Sample[]): Bound & { p50: number } {
  const of = (pick: (sample: Sample) => number): number => median(each.map(pick));
  return { rate: of((sample) => sample.rate), p50: of((sample) => sample.p50), p95: of((sample) => sample.p95) };
}

function meets(each: Sample[], bound: Bound): boolean {
  const { rate, p95 } = middle(each);
  return rate >= bound.rate && p95 <= bound.p95;
}

function ratioOf(each: Sample[], live: Sample[]): string {
  const ratios = each.map(({ rate }, round) => rate / (live[round]?.rate ?? Number.NaN));
  return `**${median(ratios).toFixed(2)}** (${ratios.map((ratio) => ratio.toFixed(2)).join(' ')})`;
}

function text({ rate, p95 }: Bound): string {
  return `${rate.toFixed(0)}/s, ${p95.toFixed(0)} ms`;
}
