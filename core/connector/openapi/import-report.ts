import type { Problem } from '../../errors/problem';
import type { DocumentNode } from './document-node';

const MAX_PROBLEMS = 100;

/** Findings of an import: each once, with its place in the document that was given. */
export class ImportReport {
  private readonly found: Problem[] = [];
  private readonly said = new Set<string>();
  private left = 0;

  constructor(private readonly placeOf: (node: DocumentNode) => { line: number; column: number } | undefined) {}

  warn(code: string, message: string, node: DocumentNode, suggestion?: string): void {
    this.add('warning', { code, message, node, suggestion });
  }

  error(code: string, message: string, node: DocumentNode, suggestion?: string): void {
    this.add('error', { code, message, node, suggestion });
  }

  private add(
    severity: Problem['severity'],
    finding: { code: string; message: string; node: DocumentNode; suggestion: string | undefined },
  ): void {
    const { code, message, node, suggestion } = finding;
    const field = node.path.join('.');
    const key = `${code} ${node.document} ${field} ${message}`;
    if (this.said.has(key)) return;
    this.said.add(key);
    if (this.found.length >= MAX_PROBLEMS) {
      this.left += 1;
      return;
    }
    const where = node.document === '' ? {} : { field: `${node.document}#${field}` };
    this.found.push({
      severity,
      code,
      message,
      ...(field === '' ? {} : { field }),
      ...where,
      ...this.placeOf(node),
      ...(suggestion === undefined ? {} : { suggestion }),
    });
  }

  /** Lists problems in the order of the document. */
  problems(): Problem[] {
    const sorted = this.found.toSorted((a, b) => (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0));
    if (this.left === 0) return sorted;
    const message = `${this.left} more remark${this.left === 1 ? ' is' : 's are'} not shown.`;
    return [...sorted, { severity: 'warning', code: 'more_problems', message }];
  }
}
