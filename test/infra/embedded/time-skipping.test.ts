import { expect, it } from '@jest/globals';
import { describeTimeSkipping, startTimeSkipping } from '../../support/time-skipping';

describeTimeSkipping('the time-skipping server', () => {
  it('lets thirty days pass at once', async () => {
    const environment = await startTimeSkipping();
    try {
      const before = await environment.currentTimeMs();
      await environment.sleep('30 days');
      expect((await environment.currentTimeMs()) - before).toBeGreaterThanOrEqual(30 * 86_400_000);
    } finally {
      await environment.teardown();
    }
  });
});
