import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { gunzip, gzip } from '../../../infra/blob/gzip';

describe('packed content', () => {
  it.each<[string, Buffer, number]>([
    ['nothing', Buffer.alloc(0), 30],
    ['text', Buffer.from('{"a":1}'.repeat(100_000)), 50_000],
    ['little that is encrypted', randomBytes(5_000), 5_100],
    ['much that is encrypted', randomBytes(500_000), 501_000],
    ['text behind what is encrypted', Buffer.concat([randomBytes(10_000), Buffer.alloc(500_000, 'text')]), 20_000],
  ])('%s comes back, and is as small as it can be', async (_what, bytes, most) => {
    const packed = await gzip(bytes);
    expect(packed.length).toBeLessThan(most);
    expect(await gunzip(packed)).toEqual(bytes);
  });
});
