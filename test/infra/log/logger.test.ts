import { closeSync, openSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { createLogger, type Logger } from '../../../infra/log/logger';
import { newFolder } from '../../support/run-folder';

function linesOf(write: (logger: Logger) => void, mask?: (line: string) => string): Record<string, unknown>[] {
  const folder = newFolder('log');
  const file = join(folder, 'log');
  const fd = openSync(file, 'w');
  write(createLogger({ name: 'test', level: 'info', fd, ...(mask && { mask }) }));
  closeSync(fd);
  const text = readFileSync(file, 'utf8');
  rmSync(folder, { recursive: true });
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

describe('logger', () => {
  it('writes one JSON line an entry, whatever is in it', () => {
    const lines = linesOf((logger) => {
      logger.child({ runId: 'r', stepPath: 'each[3]/parse' }).info({ requestId: 'q' }, 'two\nlines \u2028 "quoted"');
      logger.debug('not at this level');
      logger.error(new Error('broken'));
    });
    expect(lines).toHaveLength(2);
    expect(lines[0]).toMatchObject({
      level: 'info',
      name: 'test',
      runId: 'r',
      stepPath: 'each[3]/parse',
      requestId: 'q',
    });
    expect(lines[0]?.msg).toBe('two\nlines \u2028 "quoted"');
    expect(lines[1]).toMatchObject({ level: 'error', err: { message: 'broken' } });
  });

  it('masks secret fields, credentials in URLs and known secrets', () => {
    const text = JSON.stringify(
      linesOf(
        (logger) => {
          logger.info(
            { password: 'p1', config: { apiKey: 'p2' }, req: { headers: { authorization: 'p3', 'x-api-key': 'p4' } } },
            'x',
          );
          logger.info('connect to postgres://user:p5@host/db failed, key p6p6');
        },
        (line) => line.replaceAll('p6p6', '[masked]'),
      ),
    );
    expect(text).not.toMatch(/p[1-6]/);
    expect(text).toContain('postgres://[masked]@host/db');
  });

  it('survives a full disk', () => {
    const fd = openSync('/dev/full', 'w');
    const logger = createLogger({ name: 'test', level: 'info', fd });
    for (let i = 0; i < 5000; i += 1) {
      logger.info({ i, text: 'x'.repeat(1000) }, 'nowhere to go');
    }
    closeSync(fd);
    expect(() => logger.info('closed too')).not.toThrow();
  });
});
