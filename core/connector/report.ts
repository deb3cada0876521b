import type { ProblemList } from '../playbook/problem-list';
import type { SourceDocument } from '../playbook/source-document';
import type { Path } from '../playbook/source-node';

export interface ProblemOptions {
  suggestion?: string;
  at?: 'key';
  severity?: 'warning';
}

/** Collects located problems while a definition is read. */
export class Report {
  constructor(
    private readonly document: SourceDocument,
    private readonly problems: ProblemList,
    private readonly silent = false,
  ) {}

  /** A silent report for what is inside a value that cannot be read: its fault is reported already. */
  muted(): Report {
    return new Report(this.document, this.problems, true);
  }

  /** True when no further error will be shown: a loop over a person's entries may end here. */
  get isFull(): boolean {
    return this.problems.isFull;
  }

  add(path: Path, code: string, message: string, more: ProblemOptions = {}): void {
    const { at, ...rest } = more;
    const place = at === 'key' ? this.document.keyOffsetOf(path) : this.document.offsetOf(path);
    this.put(path, place, { code, message, ...rest });
  }

  /** Adds a problem at a character of the text at `path`. */
  addInside(path: Path, index: number, found: { code: string; message: string; suggestion?: string }): void {
    const node = this.document.find(path);
    this.put(path, node === undefined ? this.document.offsetOf(path) : this.document.offsetInside(node, index), found);
  }

  /** A scalar as it is written: `1.0` stays `1.0`. */
  written(path: Path): string | undefined {
    const node = this.document.find(path);
    return node?.kind === 'scalar' ? this.document.text.slice(node.at, node.end) : undefined;
  }

  private put(
    path: Path,
    at: number,
    found: { code: string; message: string; suggestion?: string; severity?: 'warning' },
  ): void {
    if (this.silent) return;
    const field = path.join('.');
    this.problems.add({ ...found, ...(field === '' ? {} : { field }), at });
  }
}
