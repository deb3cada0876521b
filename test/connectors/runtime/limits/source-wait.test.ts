import { describe, expect, it } from '@jest/globals';
import { SourceWait } from '../../../../connectors/runtime/limits/source-wait';

describe('a wait that several calls met together', () => {
  it('gives each its own place to go on at', () => {
    const met = new SourceWait(1_000, 'rate_limited', 'https://tokens.example.org');
    const [one, two] = [met.at({ page: 2 }), met.at({ page: 7 }, 40)];
    expect([one?.resume, two?.resume, met.resume]).toEqual([{ page: 2 }, { page: 7 }, undefined]);
    expect([one?.sleptMs, two?.sleptMs]).toEqual([0, 40]);
    expect([one?.until, one?.reason, one?.source]).toEqual([met.until, met.reason, met.source]);
  });
});
