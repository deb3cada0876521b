import { statfsSync } from 'node:fs';
import { type Config, parseConfig } from '../config/config';
import { ensureKeys } from '../crypto/load-keys';
import { type Endpoints, readEndpoints, removeEndpoints } from './endpoints';
import { embeddedError } from './errors';
import { otherSettings, settingMarks } from './given-settings';
import { createHome, type Home, resolveHome } from './home';
import { LOCK, OwnProfile, type ProfileOptions } from './own-profile';
import { takeLock } from './pid-file';
import { isAlive, waitUntil } from './process';

export interface Profile {
  endpoints(): Endpoints;
  /** Another process supervises it; then `stop` leaves it alone. */
  joined: boolean;
  stop(): Promise<void>;
}

const JOIN_TIMEOUT_MS = 180_000;
const NEEDED_BYTES = 200 * 1024 * 1024;

/** Starts the embedded profile and keeps it running, or joins the one that runs on this home already. */
export async function startProfile(options: ProfileOptions): Promise<Profile> {
  const env = options.env ?? process.env;
  const config = parseConfig(env);
  const home = resolveHome(env);
  createHome(home);
  const holder = takeLock(home, LOCK, { ...settingMarks(env), graceMs: String(stopMs(config)) });
  if (holder) {
    const joined = await join(home, holder.pid);
    sayWhatDoesNotCount(options.say, otherSettings(env, holder.details));
    return joined;
  }
  removeEndpoints(home);
  refuseFullDisk(home);
  // Keys come first, before anything can be stored.
  ensureKeys({ ...config, home: home.root });
  const own = new OwnProfile(home, config, env, options);
  try {
    await own.start();
    return { endpoints: () => own.endpoints(), joined: false, stop: () => own.stop() };
  } catch (error) {
    await own.stop();
    throw error;
  }
}

/** The worker and the API, then Temporal, then PostgreSQL: how long a stop in order takes at most. */
function stopMs({ shutdownGraceSeconds }: Config): number {
  return (shutdownGraceSeconds + 45) * 1_000;
}

async function join(home: Home, pid: number): Promise<Profile> {
  await waitUntil(() => readEndpoints(home) !== undefined, {
    what: `The profile that process ${pid} is starting`,
    timeoutMs: JOIN_TIMEOUT_MS,
    intervalMs: 250,
    failed: () => (isAlive(pid) ? undefined : 'The process that was starting the profile has ended. Start again.'),
  });
  const endpoints = readEndpoints(home);
  if (!endpoints) throw embeddedError('not_running', 'The profile was stopped meanwhile. Start again.');
  return { endpoints: () => endpoints, joined: true, stop: async () => undefined };
}

/** Names the settings of this start that the running profile does not use. */
function sayWhatDoesNotCount(say: ProfileOptions['say'], names: readonly string[]): void {
  if (names.length === 0) return;
  const what = names.length === 1 ? 'This setting does' : 'These settings do';
  say(
    `${what} not count, the running profile has other values: ${names.join(', ')}. "af stop" and a new start use them.`,
  );
}

function refuseFullDisk(home: Home): void {
  for (const folder of [home.root, home.database]) {
    const { bavail, bsize } = statfsSync(folder);
    if (bavail * bsize < NEEDED_BYTES) {
      throw embeddedError(
        'disk_full',
        `The disk that holds ${folder} has less than ${NEEDED_BYTES / 1024 / 1024} MB left. Free some space, or set AF_HOME to another disk.`,
      );
    }
  }
}
