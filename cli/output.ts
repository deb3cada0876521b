import { CliError, EXIT, type ExitCode } from './errors';
import { visibleText } from '../core/report/visible-text';

/** Standard output takes results, standard error everything else. With --json results are JSON documents. */
export class Output {
  constructor(readonly json: boolean) {}

  /** A result: as JSON, or as the text made from it. */
  result<Value>(value: Value, asText: (value: Value) => string): void {
    console.log(this.json ? JSON.stringify(value, null, 2) : visibleText(asText(value)));
  }

  /** One JSON document a line, for streams. */
  jsonLine(value: unknown): void {
    console.log(JSON.stringify(value));
  }

  /** A remark for people; not shown with --json. */
  note(line: string): void {
    if (!this.json) console.log(visibleText(line));
  }

  failure(error: unknown): ExitCode {
    const known = toCliError(error);
    if (this.json) console.error(errorJson(known));
    else console.error(visibleText([known.message, ...known.problems.map(problemLine)].join('\n')));
    return known.exitCode;
  }
}

export function errorJson({ code, message, problems }: CliError): string {
  return JSON.stringify({ code, message, problems });
}

/** Errors of ours elsewhere carry a code and a sentence too; of anything else only the message is shown. */
export function toCliError(error: unknown): CliError {
  if (error instanceof CliError) return error;
  const message = error instanceof Error ? error.message : String(error);
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'failed';
  return new CliError(code, message, EXIT.failed);
}

export function problemLine(problem: CliError['problems'][number]): string {
  const place = problem.line === undefined ? '' : `${problem.line}:${problem.column ?? 1} `;
  const step = problem.step === undefined ? '' : `step ${problem.step}: `;
  const hint = problem.suggestion === undefined ? '' : ` ${problem.suggestion}`;
  return `  ${place}${problem.severity ?? 'error'} ${problem.code}: ${step}${problem.message}${hint}`;
}
