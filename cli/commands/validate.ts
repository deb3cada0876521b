import type { Context } from '../context';
import { type CliProblem, EXIT, type ExitCode, usageError } from '../errors';
import { readSource } from '../read-source';
import { kindOf } from '../definition-kind';
import { problemLine } from '../output';
import type { Register } from './command';

interface Report {
  valid: boolean;
  problems: CliProblem[];
  /** Steps of a playbook. */
  steps?: { step_name: string; stops_for?: string }[];
}

export const registerValidate: Register = (program, wrap) => {
  program
    .command('validate')
    .description('check a playbook or a connector; every problem with its line and a way to mend it')
    .argument('<file>', 'YAML or JSON; - for standard input')
    .action(wrap(validate));
};

/** Defaults that apply, with their reasons. */
function defaults({ steps = [] }: Report): string[] {
  return steps.flatMap(({ step_name: step, stops_for: reader }) =>
    reader === undefined
      ? []
      : [`  ${step}: a failure stops the run, since \`${reader}\` rests on it (on_error: skip goes on)`],
  );
}

async function validate(context: Context, file: string): Promise<ExitCode> {
  const source = readSource(file);
  const kind = kindOf(source, file);
  if (kind === 'profile')
    throw usageError(`${file} describes an agent profile; playbooks and connectors can be checked.`);
  const report = await context.api().post<Report>(`/${kind}s/validate`, { source });
  context.output.result(report, (found) =>
    [`${file}: ${found.valid ? 'valid' : 'not valid'}`, ...found.problems.map(problemLine), ...defaults(found)].join(
      '\n',
    ),
  );
  return report.valid ? EXIT.ok : EXIT.invalid;
}
