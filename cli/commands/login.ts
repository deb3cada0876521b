import type { Context } from '../context';
import { EXIT, type ExitCode } from '../errors';
import type { Register } from './command';

export const registerLogin: Register = (program, wrap) => {
  program.command('login').description('a link that signs your browser in, once').action(wrap(login));
  program.command('whoami').description('who you are to the API').action(wrap(whoami));
};

async function login(context: Context): Promise<ExitCode> {
  const link = await context.api().post<{ url: string; expires_at: string }>('/auth/sign-in-links', {});
  context.output.result(link, ({ url }) => `Open within ten minutes, in a browser on this machine:\n  ${url}`);
  return EXIT.ok;
}

async function whoami(context: Context): Promise<ExitCode> {
  const me = await context.api().get<{ handle: string; scopes: string[] }>('/users/me');
  context.output.result(me, ({ handle, scopes }) => [handle, ...scopes].join(' '));
  return EXIT.ok;
}
