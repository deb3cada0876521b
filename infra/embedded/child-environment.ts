import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { DatabaseLogin } from '../db/login';
import type { Home } from './home';

export interface ServiceAddresses {
  database: DatabaseLogin;
  /** Address of our own Temporal; undefined if the environment names another one. */
  ownTemporal: string | undefined;
  temporalUi: string | undefined;
}

/** Environment of the API and the worker: our own, and the addresses of our servers. */
export function childEnvironment(env: NodeJS.ProcessEnv, home: Home, reachable: ServiceAddresses): NodeJS.ProcessEnv {
  const { database, ownTemporal, temporalUi } = reachable;
  const ours: NodeJS.ProcessEnv = {
    ...env,
    AF_HOME: home.root,
    DATABASE_URL: database.url,
    AF_MIGRATE_DATABASE_URL: database.ownerUrl,
    AF_TEMPORAL_UI_URL: temporalUi,
    AF_LOCAL_KEY: env.AF_LOCAL_KEY || 'on',
    // One file for each of theirs, written as they end; where that cannot be, Node compiles at each start.
    NODE_COMPILE_CACHE: env.NODE_COMPILE_CACHE || home.compiled,
    AF_START_SOCKET: env.AF_START_SOCKET || startSocket(home),
    // Colours are off, as their output is a file.
    NO_COLOR: '1',
    FORCE_COLOR: undefined,
  };
  if (ownTemporal === undefined) return ours;
  // Our own server uses no certificate and no key: settings for another server must not reach this connection.
  for (const name of Object.keys(ours)) if (name.startsWith('TEMPORAL_')) delete ours[name];
  return {
    ...ours,
    TEMPORAL_ADDRESS: ownTemporal,
    TEMPORAL_NAMESPACE: 'default',
    TEMPORAL_CONFIG_FILE: writeTemporalProfile(home, ownTemporal),
    // Our own Temporal has only the person of this machine; another server may have more users.
    AF_SIGNAL_APPROVALS: env.AF_SIGNAL_APPROVALS || 'on',
  };
}

/** Systems take no longer name; runs are started without it then. */
const LONGEST_SOCKET = 100;

function startSocket(home: Home): string | undefined {
  const file = path.join(home.run, 'starts.sock');
  return Buffer.byteLength(file) <= LONGEST_SOCKET ? file : undefined;
}

/** The SDK would read the user's own file, which may name another server with certificates. */
function writeTemporalProfile(home: Home, address: string): string {
  const file = path.join(home.run, 'temporal.toml');
  writeFileSync(file, `[profile.default]\naddress = "${address}"\nnamespace = "default"\n`);
  return file;
}
