import { AppError } from '../errors/app-error';

/** Characters and elements that the functions of one expression may read and make together. */
const MAX_WORK = 67_108_864;
/** More for each row where one expression is evaluated for many. */
const WORK_PER_ROW = 1_024;

/**
 * Bound of the time and the memory that functions take, whatever the data are: counted in characters and elements, so that
 * it is the same wherever and whenever the expression is evaluated.
 */
export class WorkMeter {
  private left: number;
  /** Made with the first pattern: most expressions have none. */
  private known: Set<string> | undefined;

  constructor(rows = 0) {
    this.left = MAX_WORK + rows * WORK_PER_ROW;
  }

  /** True the first time that the expression uses a text as a pattern. */
  isNew(pattern: string): boolean {
    this.known ??= new Set();
    if (this.known.has(pattern)) return false;
    this.known.add(pattern);
    return true;
  }

  /**
   * Before the work is done.
   * @throws AppError `expression_too_large` when the expression would do more than it may.
   */
  use(units: number): void {
    this.left -= Number.isFinite(units) ? Math.max(0, units) : this.left + 1;
    if (this.left >= 0) return;
    throw new AppError(
      'expression_too_large',
      `The expression would read or make more than ${MAX_WORK} characters and elements. Give its functions less: shorter texts, smaller numbers, or a part of the list.`,
      { category: 'too_large' },
    );
  }
}
