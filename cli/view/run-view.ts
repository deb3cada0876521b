import { visibleText } from '../../core/report/visible-text';
import type { ServerEvent } from '../http/server-events';
import { type StepLine, StepLines, text } from './step-lines';
import { cutTo, plainText } from './text-width';

const MARKS: Record<StepLine['state'], string> = {
  running: '…',
  waiting: '?',
  ok: '✓',
  failed: '✗',
  cancelled: '✗',
  skipped: '-',
};
const COLOURS: Record<StepLine['state'], number> = {
  running: 36,
  waiting: 33,
  ok: 32,
  failed: 31,
  cancelled: 90,
  skipped: 90,
};
const SHOWN = 20;

/** Shows a run while it goes on: a block that redraws itself on a terminal, one line for each change elsewhere. */
export class RunView {
  private readonly steps = new StepLines();
  private readonly stream: NodeJS.WriteStream;
  private drawn = 0;

  constructor(stream: NodeJS.WriteStream = process.stdout) {
    this.stream = stream;
  }

  take(event: ServerEvent): void {
    const line = this.steps.take(event);
    if (event.event === 'run.status') this.remark(statusText(event));
    if (!line) return;
    if (this.stream.isTTY) this.redraw();
    else this.stream.write(`  ${plain(line)}\n`);
  }

  /** A line of its own under what was drawn; the block starts anew below it. */
  remark(line: string): void {
    this.drawn = 0;
    this.stream.write(`${visibleText(line)}\n`);
  }

  private redraw(): void {
    const lines = this.steps.all().slice(-SHOWN);
    const width = Math.max(20, (this.stream.columns || 80) - 1);
    if (this.drawn > 0) this.stream.write(`\u001b[${this.drawn}A\u001b[J`);
    this.stream.write(lines.map((line) => `${coloured(line, width)}\n`).join(''));
    this.drawn = lines.length;
  }
}

function plain(line: StepLine): string {
  return plainText(`${line.path}: ${line.state}${line.note === '' ? '' : ` (${line.note})`}`);
}

function coloured(line: StepLine, width: number): string {
  const shown = cutTo(plainText(`${MARKS[line.state]} ${line.path}  ${line.note}`), width - 2);
  return `  \u001b[${COLOURS[line.state]}m${shown}\u001b[0m`;
}

function statusText({ data }: ServerEvent): string {
  const why = text(data['message']) || text(data['code']);
  return `  run is ${text(data['status'])}${why === '' ? '' : `: ${why}`}`;
}
