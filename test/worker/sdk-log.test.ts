import { describe, expect, it } from '@jest/globals';
import { closeSync, openSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { createLogger } from '../../infra/log/logger';
import { newFolder } from '../support/run-folder';
import { sdkLogger } from '../../worker/sdk-log';

describe('lines of the SDK', () => {
  it('have each field once, whatever the SDK adds', () => {
    const file = path.join(newFolder('sdk-log'), 'log');
    const fd = openSync(file, 'w');
    const logger = sdkLogger(createLogger({ name: 'worker', level: 'info', fd }));
    logger.error('lost', {
      level: 'INFO',
      name: 'core',
      time: 1,
      msg: 'other',
      taskQueue: 'q',
      task: 'canary',
      taskEncoded: 'canary',
    });
    logger.info('not shown');
    closeSync(fd);
    const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
    expect(lines).toHaveLength(1);
    const [line = ''] = lines;
    expect(line).not.toContain('canary');
    expect(JSON.parse(line)).toMatchObject({
      level: 'warn',
      name: 'worker',
      msg: 'lost',
      sdk_level: 'ERROR',
      sdk: { taskQueue: 'q' },
    });
    // A parser keeps the last of two fields with one name: only the text shows them.
    const own = line.replace(/"sdk":\{[^}]*\}/, '');
    for (const field of ['level', 'name', 'time', 'msg']) expect(own.split(`"${field}":`)).toHaveLength(2);
  });
});
