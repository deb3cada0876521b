import type { Context } from '../context';
import { EXIT, type ExitCode, usageError } from '../errors';
import type { SecretInfo } from '../http/types';
import { readSecretValue } from '../read-secret';
import type { Register } from './command';

const HOSTS = 'hosts that it may be sent to, comma-separated: api.example.org, *.example.org, or "*" for every host';

export const registerSecrets: Register = (program, wrap) => {
  const secrets = program.command('secrets').description('values that connectors send and nobody reads');
  secrets
    .command('set')
    .description('store a secret; the value comes from standard input')
    .argument('<name>')
    .requiredOption('--hosts <hosts>', HOSTS)
    .action(wrap((context, name: string, { hosts }: { hosts: string }) => set(context, name, hosts)));
  secrets.command('list').description('names of secrets, never values').action(wrap(list));
  secrets
    .command('rotate')
    .description('give a secret a new value; it comes from standard input')
    .argument('<name>')
    .option('--hosts <hosts>', HOSTS)
    .action(wrap((context, name: string, { hosts }: { hosts?: string }) => rotate(context, name, hosts)));
  secrets.command('delete').description('delete a secret').argument('<name>').action(wrap(remove));
};

async function set(context: Context, name: string, hosts: string): Promise<ExitCode> {
  const body = { name, value: await readSecretValue(), allowed_hosts: hostsOf(hosts) };
  const secret = await context.api().post<SecretInfo>('/secrets', body);
  context.output.result(secret, () => `Stored ${secret.name}, for ${secret.allowed_hosts.join(', ')}.`);
  return EXIT.ok;
}

async function rotate(context: Context, name: string, hosts: string | undefined): Promise<ExitCode> {
  const body = { value: await readSecretValue(), ...(hosts === undefined ? {} : { allowed_hosts: hostsOf(hosts) }) };
  const secret = await context.api().post<SecretInfo>(`/secrets/${encodeURIComponent(name)}/rotate`, body);
  context.output.result(secret, () => `${secret.name} has a new value: version ${secret.version}.`);
  return EXIT.ok;
}

async function list(context: Context): Promise<ExitCode> {
  const items = await context.api().pages<SecretInfo>('/secrets?limit=200');
  context.output.result({ items }, () => (items.length === 0 ? 'There are no secrets.' : items.map(lineOf).join('\n')));
  return EXIT.ok;
}

async function remove(context: Context, name: string): Promise<ExitCode> {
  await context.api().send('DELETE', `/secrets/${encodeURIComponent(name)}`);
  context.output.result({ name, deleted: true }, () => `Deleted ${name}.`);
  return EXIT.ok;
}

function lineOf(secret: SecretInfo): string {
  return `${secret.name}  ${secret.allowed_hosts.join(', ')}  ${secret.rotated_at ?? secret.created_at}`;
}

function hostsOf(text: string): string[] {
  const hosts = text.split(',').flatMap((host) => (host.trim() === '' ? [] : [host.trim()]));
  if (hosts.length === 0) throw usageError('--hosts wants at least one host, such as api.example.org.');
  return hosts;
}
