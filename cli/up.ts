import { type Profile, startProfile } from '../infra/embedded/profile';
import type { Context } from './context';
import { EXIT, type ExitCode } from './errors';
import { stopSignal, untilAborted } from './stop-signal';
import { statusText } from './view/status-text';

/** Starts the profile and keeps it until it is told to stop; joins and returns where it runs already. */
export async function up(context: Context): Promise<ExitCode> {
  const signal = stopSignal();
  const profile = await startProfile({ say: (line) => context.output.note(line), signal });
  try {
    context.output.result(profile.endpoints(), statusText);
    if (profile.joined) {
      context.output.note('It was running already; nothing was started.');
      return EXIT.ok;
    }
    context.output.note('Ctrl-C stops it.');
    await untilAborted(signal);
  } finally {
    await stopWithMessage(profile, context);
  }
  return EXIT.ok;
}

export async function stopWithMessage(profile: Profile, context: Context): Promise<void> {
  if (profile.joined) return;
  const started = Date.now();
  context.output.note('Stopping.');
  await profile.stop();
  context.output.note(`Everything is stopped (${((Date.now() - started) / 1_000).toFixed(1)} s).`);
}
