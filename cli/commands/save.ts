import type { Context } from '../context';
import { kindOf } from '../definition-kind';
import { EXIT, type CliError, type ExitCode, usageError } from '../errors';
import { problemLine } from '../output';
import { readSource } from '../read-source';
import type { Register } from './command';

interface Saved {
  slug: string;
  name: string;
  latest_version_no: number;
  warnings?: CliError['problems'];
}

interface Options {
  connector?: true;
}

export const registerSave: Register = (program, wrap) => {
  program
    .command('save')
    .description('save a playbook or a connector; changed text becomes a new version')
    .argument('<file>', 'YAML or JSON; - for standard input. Its shape says what it is')
    .option('--connector', 'it is a connector, whatever it looks like')
    .action(wrap(save));
};

async function save(context: Context, file: string, options: Options): Promise<ExitCode> {
  const source = readSource(file);
  const kind = options.connector === true ? 'connector' : kindOf(source, file);
  if (kind === 'profile')
    throw usageError(
      `${file} describes an agent profile. Profiles are made with POST /profiles, or from a template (POST /profiles/from-template).`,
    );
  const saved = await context.api().post<Saved>(`/${kind}s`, { source });
  context.output.result(saved, ({ slug, latest_version_no, warnings = [] }) => {
    const next = kind === 'playbook' ? `Run it: npm run af -- run ${slug} --follow` : `Try it: ${tryText(slug)}`;
    return [`The ${kind} ${slug} is saved as version ${latest_version_no}. ${next}`, ...warnings.map(problemLine)].join(
      '\n',
    );
  });
  return EXIT.ok;
}

function tryText(slug: string): string {
  return `npm run af -- connectors test ${slug} <endpoint>`;
}
