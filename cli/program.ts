import { Command } from 'commander';
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
import { quickstart } from './quickstart';

const HELP = `
Exit codes: 0 done, 1 it failed or the run did not complete, 2 wrong usage or invalid input, 3 nothing answers.
The API is found through $AF_HOME/endpoints.json, or AF_URL; the key is $AF_HOME/local.key, or AF_API_KEY.`;

/** Every command of `af`. */
export function createProgram(): Command {
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
