import { readFileSync } from 'node:fs';
import type { Context } from '../context';
import { type CliProblem, EXIT, type ExitCode, unreadable } from '../errors';
import { problemLine } from '../output';
import type { Register } from './command';

interface Report {
  valid: boolean;
  problems: CliProblem[];
}

export const registerValidate: Register = (program, wrap) => {
  program
    .command('validate')
    .description('check a playbook file; every problem with its line and a way to mend it')
    .argument('<file>', 'YAML or JSON; - for standard input')
    .action(wrap(validate));
};

async function validate(context: Context, file: string): Promise<ExitCode> {
  const source = readSource(file);
  const report = await context.api().post<Report>('/playbooks/validate', { source });
  context.output.result(report, (found) =>
    [`${file}: ${found.valid ? 'valid' : 'not valid'}`, ...found.problems.map(problemLine)].join('\n'),
  );
  return report.valid ? EXIT.ok : EXIT.invalid;
}

export function readSource(file: string): string {
  try {
    return readFileSync(file === '-' ? 0 : file, 'utf8');
  } catch (error) {
    throw unreadable(file, error);
  }
}
