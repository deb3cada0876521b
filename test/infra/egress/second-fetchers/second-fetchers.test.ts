import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startHttpSource, type HttpSource } from '../../../support/http-source';
import { describeWhere, hasNetworkNamespaces, hasProgram } from '../../../support/machine';
import { inOwnNetwork } from '../../../support/own-network';
import { PRIVATE_HOSTS } from '../../../support/private-addresses';
import type { SecondReport } from './decoys.main';
import { SECOND_FETCHERS } from './rows';
import { endOf, startFetchSite, type FetchSite } from './site';

const CASES = SECOND_FETCHERS.length * PRIVATE_HOSTS.length;

describe('H09: whatever fetches, an address that leads inside', () => {
  let site: FetchSite;
  let decoy: HttpSource;
  beforeAll(async () => {
    site = await startFetchSite('127.0.0.1');
    // Listens at every address of this machine.
    decoy = await startHttpSource((_request, response) => response.end('{}'), '::');
  });
  afterAll(() => Promise.all([site.close(), decoy.close()]));

  it('would be noticed: the decoy is there', async () => {
    const before = decoy.connections();
    for (const host of ['127.0.0.1', '[::1]', '2130706433']) await fetch(`http://${host}:${decoy.port}/`);
    expect(decoy.connections()).toBeGreaterThan(before);
  });

  it.each(SECOND_FETCHERS)('$name', async ({ ends, fetch: fetchInside }) => {
    const before = decoy.connections();
    const wrong: [string, string][] = [];
    for (const host of PRIVATE_HOSTS) {
      const ended = await endOf(fetchInside(site, `http://${host}:${decoy.port}`));
      if (!ends.includes(ended)) wrong.push([host, ended]);
    }
    expect(wrong).toEqual([]);
    expect(decoy.connections()).toBe(before);
  });
});

describeWhere(
  'netns',
  hasNetworkNamespaces() && hasProgram('ip'),
  'H09: the same with a decoy at every address',
  () => {
    let report: SecondReport;
    beforeAll(async () => {
      report = await inOwnNetwork<SecondReport>('test/infra/egress/second-fetchers/decoys.main.ts');
    });

    it('no fetcher reaches one', () => {
      expect(report.control).toEqual(['10.0.0.1', '169.254.169.254', 'fd00:ec2::254']);
      expect(report.tried).toBe(CASES);
      expect(report.wrong).toEqual([]);
      expect(report.reached).toEqual([]);
    });
  },
);
