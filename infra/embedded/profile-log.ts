import { closeSync, openSync } from 'node:fs';
import path from 'node:path';
import type { Config } from '../config/variables';
import { createLogger } from '../log/logger';
import { explainDiskError } from './errors';
import type { Home } from './home';

export interface ProfileLog {
  write(line: string): void;
  close(): void;
}

/** `logs/profile.log`: which part started, died, was started again. */
export function openProfileLog(home: Home, config: Config): ProfileLog {
  const file = path.join(home.logs, 'profile.log');
  try {
    const fd = openSync(file, 'a', 0o640);
    const log = createLogger({ name: 'profile', level: config.logLevel, fd });
    return { write: (line) => log.info(line), close: () => closeSync(fd) };
  } catch (error) {
    throw explainDiskError(error, file);
  }
}
