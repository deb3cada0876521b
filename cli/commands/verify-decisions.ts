import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { ExportVerifier, type VerifyOptions } from '../../infra/decisions/verify-export';
import type { Context } from '../context';
import { CliError, EXIT, type ExitCode, unreadable, usageError } from '../errors';
import type { Register } from './command';

interface Options {
  publicKey?: string[];
  seen?: string;
}

export const registerVerifyDecisions: Register = (program, wrap) => {
  program
    .command('verify-decisions')
    .description('check an exported chain of decisions, offline')
    .argument('<file>', 'from GET /decisions/export')
    .option('--public-key <key...>', 'keys that the heads have to be signed with')
    .option('--seen <no:hash>', 'a head that you noted earlier: it has to be in the chain')
    .action(wrap(verifyDecisions));
};

/** Exit code 0: nothing was changed, removed, moved, inserted or cut off. */
async function verifyDecisions(context: Context, file: string, options: Options): Promise<ExitCode> {
  const verifier = new ExportVerifier({ publicKeys: options.publicKey, seen: seenOf(options.seen) });
  try {
    const lines = createInterface({ input: createReadStream(file, 'utf8'), crlfDelay: Infinity });
    for await (const line of lines) verifier.take(line);
  } catch (error) {
    throw unreadable(file, error);
  }
  const result = verifier.finish();
  if (!result.ok) {
    const { line, code, message } = result.fault;
    throw new CliError(code, line === undefined ? message : `Line ${line}: ${message}`, EXIT.failed);
  }
  const { verified } = result;
  context.output.result(verified, () =>
    [
      `${verified.entries} ${verified.entries === 1 ? 'decision' : 'decisions'}, unbroken, as of ${verified.signed_at}.`,
      `Last: ${verified.entries}:${verified.hash}`,
      `Signed with ${verified.public_keys.join(', ')}${options.publicKey === undefined ? ' (not compared with a key that you know; see --public-key)' : ''}.`,
    ].join('\n'),
  );
  return EXIT.ok;
}

function seenOf(text: string | undefined): VerifyOptions['seen'] {
  if (text === undefined) return undefined;
  const [, no, hash] = /^(\d{1,15}):([0-9a-f]{64})$/.exec(text) ?? [];
  if (no === undefined || hash === undefined)
    throw usageError('--seen wants number:hash, as the last line of an earlier check.');
  return { no: Number(no), hash };
}
