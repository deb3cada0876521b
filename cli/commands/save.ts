import type { Context } from '../context';
import { EXIT, type ExitCode } from '../errors';
import type { Register } from './command';
import { readSource } from './validate';

interface Saved {
  slug: string;
  name: string;
  latest_version_no: number;
}

interface Options {
  connector?: true;
}

export const registerSave: Register = (program, wrap) => {
  program
    .command('save')
    .description('save a playbook file, so that it can be run; changed text becomes a new version')
    .argument('<file>', 'YAML or JSON; - for standard input')
    .option('--connector', 'the file describes a connector')
    .action(wrap(save));
};

async function save(context: Context, file: string, options: Options): Promise<ExitCode> {
  const source = readSource(file);
  const connector = options.connector === true;
  const saved = await context.api().post<Saved>(connector ? '/connectors' : '/playbooks', { source });
  context.output.result(saved, ({ slug, latest_version_no }) => {
    const line = `${slug} is saved as version ${latest_version_no}.`;
    return connector ? line : `${line} Run it: npm run af -- run ${slug} --follow`;
  });
  return EXIT.ok;
}
