import { Command, CommanderError } from 'commander';
import { registerApprovals } from './commands/approvals';
import type { Wrap } from './commands/command';
import { registerConnectors } from './commands/connectors';
import { registerCompare } from './commands/compare';
import { registerDocuments } from './commands/documents';
import { registerImportDirs } from './commands/import-dirs';
import { registerPeople } from './commands/people';
import { registerTables } from './commands/tables';
import { registerTestStep } from './commands/test-step';
import { registerKeys } from './commands/keys';
import { registerList } from './commands/list';
import { registerLogin } from './commands/login';
import { registerProfile } from './commands/profile';
import { registerRun } from './commands/run';
import { registerRunActs } from './commands/run-acts';
import { registerRuns } from './commands/runs';
import { registerSave } from './commands/save';
import { registerSecrets } from './commands/secrets';
import { registerValidate } from './commands/validate';
import { registerVerifyDecisions } from './commands/verify-decisions';
import { createContext } from './context';
import { EXIT } from './errors';
import { quickstart } from './quickstart';

const HELP = `
Exit codes: 0 done, 1 it failed or the run did not complete, 2 wrong usage or invalid input, 3 nothing answers.
The API is found through $AF_HOME/endpoints.json, or AF_URL; the key is $AF_HOME/local.key, or AF_API_KEY.`;

function createProgram(): Command {
  const program = new Command('af')
    .description('Agent Factory on the command line')
    .option('--json', 'results as JSON')
    .addHelpText('after', HELP)
    .exitOverride()
    .showHelpAfterError('(af --help shows all commands)');
  const wrap: Wrap =
    (body) =>
    async (...rest) => {
      // Options of `af` itself may stand before or behind the command.
      const context = createContext(program.opts<{ json?: boolean }>().json === true);
      try {
        process.exitCode = await body(context, ...rest);
      } catch (error) {
        process.exitCode = context.output.failure(error);
      }
    };
  for (const register of [
    registerValidate,
    registerSave,
    registerRun,
    registerRuns,
    registerRunActs,
    registerList,
    registerCompare,
    registerTestStep,
    registerApprovals,
    registerDocuments,
    registerTables,
    registerPeople,
    registerImportDirs,
    registerConnectors,
    registerProfile,
    registerLogin,
    registerSecrets,
    registerKeys,
    registerVerifyDecisions,
  ]) {
    register(program, wrap);
  }
  program
    .command('quickstart')
    .description('start everything and run the example playbook')
    .option('--once', 'approve by itself, wait for the end, stop everything')
    .action(wrap(quickstart));
  return program;
}

/** `--json` is taken wherever it stands. */
function orderArguments(argv: readonly string[]): string[] {
  const rest = argv.filter((argument) => argument !== '--json');
  return rest.length === argv.length ? rest : ['--json', ...rest];
}

/** They go on when nobody reads what they say: what they started has to be stopped in order. */
const STAYS_WITHOUT_READER = new Set(['up', 'quickstart']);

/** `af … | head`: who has read enough closes the pipe, and that is no failure. */
function endWithReader(argv: readonly string[]): void {
  const stays = STAYS_WITHOUT_READER.has(argv.find((argument) => !argument.startsWith('-')) ?? '');
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
      if (!stays) process.exit(EXIT.ok);
    });
  }
}

async function main(): Promise<void> {
  endWithReader(process.argv.slice(2));
  try {
    await createProgram().parseAsync(orderArguments(process.argv.slice(2)), { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    process.exitCode = error.exitCode === 0 ? EXIT.ok : EXIT.invalid;
  }
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = EXIT.failed;
});
