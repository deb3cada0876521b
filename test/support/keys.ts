import { createHash } from 'node:crypto';

/** A master key of one id, the same in every process of the tests. */
export function testMasterKey(id: string): string {
  return `${id}:${createHash('sha256').update(`agent-factory test key ${id}`).digest('base64')}`;
}

/** Value of AF_MASTER_KEYS in tests. */
export const TEST_MASTER_KEYS = testMasterKey('test');
