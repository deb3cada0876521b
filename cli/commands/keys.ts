import { resolveHome } from '../../infra/embedded/home';
import { addOwnKey } from '../../infra/embedded/own-keys';
import type { Context } from '../context';
import { EXIT, type ExitCode } from '../errors';
import type { Register } from './command';

interface KeyView {
  id: string;
  current: boolean;
  available: boolean;
  secrets: number;
  retired_at?: string;
}

interface Rotation {
  current: string;
  reencrypted: number;
}

export const registerKeys: Register = (program, wrap) => {
  const keys = program.command('keys').description('the master keys that everything is encrypted under');
  keys.command('list').description('ids of keys, and what is encrypted under them').action(wrap(list));
  keys
    .command('rotate')
    .description('encrypt every secret under the current key; where the keys are in AF_HOME, a new one is made first')
    .option('--no-new', 'use the key that is current now')
    .action(wrap((context, { new: fresh }: { new: boolean }) => rotate(context, fresh)));
  keys
    .command('retire')
    .description('say that a key is no longer needed, so that it can be taken away')
    .argument('<keyId>')
    .action(wrap(retire));
};

/** Rotates to a new key. A key of AF_MASTER_KEYS is replaced in the environment first: the API reads it at its start. */
async function rotate(context: Context, fresh: boolean): Promise<ExitCode> {
  const api = context.api();
  // No key is made for an API that does not answer.
  await api.get('/keys');
  if (fresh && !process.env.AF_URL) addOwnKey(resolveHome(), process.env);
  const done = await api.post<Rotation>('/keys/rotate', {});
  context.output.result(
    done,
    () => `Everything is encrypted under ${done.current} now (${done.reencrypted} secrets were not).`,
  );
  return EXIT.ok;
}

async function list(context: Context): Promise<ExitCode> {
  const keys = await context.api().get<{ items: KeyView[] }>('/keys');
  context.output.result(keys, ({ items }) => items.map(lineOf).join('\n'));
  return EXIT.ok;
}

function lineOf(key: KeyView): string {
  const state = key.current ? 'current' : key.retired_at !== undefined ? 'retired' : key.available ? 'old' : 'missing';
  return `${key.id}  ${state}  ${key.secrets} secrets`;
}

async function retire(context: Context, keyId: string): Promise<ExitCode> {
  await context.api().send('POST', `/keys/${encodeURIComponent(keyId)}/retire`);
  context.output.result({ id: keyId, retired: true }, () => `${keyId} may be taken away when no history needs it.`);
  return EXIT.ok;
}
