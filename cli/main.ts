import { CommanderError } from 'commander';
import { EXIT } from './errors';
import { createProgram } from './program';

/** `--json` is taken wherever it stands. */
function orderArguments(argv: readonly string[]): string[] {
  const rest = argv.filter((argument) => argument !== '--json');
  return rest.length === argv.length ? rest : ['--json', ...rest];
}

/** Commands that continue when nobody reads their output: they must stop the programs that they started in order. */
const STAYS_WITHOUT_READER = new Set(['up', 'quickstart']);

/** `af … | head`: a reader that has enough closes the pipe, which is no failure. */
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
