import { describe, expect, it } from '@jest/globals';
import { stepsAnswer } from '../../activities/steps';
import type { Json } from '../../core/base/json';
import { unpackShared } from '../../core/base/shared-json';
import type { UnitOutcome } from '../../core/engine/inbox';

const records: Json = Array.from({ length: 1_000 }, (_each, no) => ({ no, text: 'x'.repeat(50) }));
const outcomes: UnitOutcome[] = Array.from({ length: 20 }, (_each, no) => ({
  path: `s${no}`,
  status: 'ok',
  output: { value: { document: { records, no } } },
}));

describe('the answer of steps that travelled together', () => {
  it('holds once what several of them passed on, and says what it said', () => {
    const answer = JSON.parse(JSON.stringify(stepsAnswer({ outcomes, held: 'pause' }, { packs: true }))) as {
      packed: Parameters<typeof unpackShared>[0];
      held: string;
    };
    expect(JSON.stringify(answer).length).toBeLessThan(JSON.stringify(records).length + 10_000);
    expect(answer.held).toBe('pause');
    expect(Object.values(unpackShared(answer.packed).root as object)).toEqual(outcomes);
  });

  it('is as it was for a run of an earlier build, and where nothing large is passed on', () => {
    expect(stepsAnswer({ outcomes }, {})).toEqual({ outcomes });
    expect(stepsAnswer({ outcomes: outcomes.slice(0, 1) }, { packs: true })).toEqual({
      outcomes: outcomes.slice(0, 1),
    });
  });
});
