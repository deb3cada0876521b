import type { Problem } from '../errors/problem';
import { MAX_PROBLEMS } from './limits';

export interface Finding extends Omit<Problem, 'severity' | 'line' | 'column'> {
  severity?: Problem['severity'];
  /** Offset in the text. */
  at?: number;
}

/** Collects problems with the places of a text. Keeps a bounded number, counts the rest. */
export class ProblemList {
  private readonly found: { problem: Problem; at: number; order: number }[] = [];
  private errors = 0;
  private warnings = 0;

  constructor(readonly position: (offset: number) => { line: number; column: number }) {}

  add(finding: Finding): void {
    const { severity = 'error', at, ...rest } = finding;
    if (severity === 'error') this.errors += 1;
    else this.warnings += 1;
    const kept = severity === 'error' ? this.errors : this.warnings;
    if (kept > MAX_PROBLEMS) return;
    const place = at === undefined ? {} : this.position(at);
    this.found.push({ problem: { severity, ...rest, ...place }, at: at ?? 0, order: this.found.length });
  }

  /** Removes the warnings at a place, once its use is known to be right. */
  withdraw(codes: readonly string[], at: number): void {
    const kept = this.found.filter(({ problem, at: place }) => place !== at || !codes.includes(problem.code));
    this.warnings -= this.found.length - kept.length;
    this.found.splice(0, this.found.length, ...kept);
  }

  get hasErrors(): boolean {
    return this.errors > 0;
  }

  /** True when no more errors will be shown, so that costly checks can be skipped. */
  get isFull(): boolean {
    return this.errors >= MAX_PROBLEMS;
  }

  /** Sorts by place in the text, then by discovery. Errors push warnings out. */
  sorted(): Problem[] {
    const errors = Math.min(this.errors, MAX_PROBLEMS);
    let warningsLeft = MAX_PROBLEMS - errors;
    const kept = this.found.filter((entry) => entry.problem.severity === 'error' || warningsLeft-- > 0);
    const problems = kept.sort((a, b) => a.at - b.at || a.order - b.order).map((entry) => entry.problem);
    const left = this.errors + this.warnings - problems.length;
    if (left > 0) problems.push(note(left));
    return problems;
  }
}

function note(left: number): Problem {
  return {
    severity: 'warning',
    code: 'more_problems',
    message: `${left} more problem${left === 1 ? ' is' : 's are'} not shown. Repair the ones above first.`,
  };
}
