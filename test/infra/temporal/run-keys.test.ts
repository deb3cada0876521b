import { describe, expect, it } from '@jest/globals';
import { associatedData } from '../../../infra/crypto/envelope';
import { KeyRing } from '../../../infra/crypto/key-ring';
import { randomMasterKey } from '../../../infra/crypto/key-file';
import { RunKeys } from '../../../infra/temporal/run-keys';

describe('the keys of runs', () => {
  it('are remembered without the pools that their parts were cut from', () => {
    const ring = new KeyRing([randomMasterKey()]);
    const keys = new RunKeys(ring);
    const about = keys.of(ring.current, 'run').about('zip');
    expect(about).toEqual(associatedData([ring.current, 'run', 'zip']));
    expect(about.buffer.byteLength).toBe(about.length);
    expect(keys.of(ring.current, 'run').about('zip')).toBe(about);
  });
});
