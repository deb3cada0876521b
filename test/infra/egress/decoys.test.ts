import { beforeAll, expect, it } from '@jest/globals';
import type { DecoyReport } from '../../support/egress-decoys.main';
import { describeWhere, hasNetworkNamespaces, hasProgram } from '../../support/machine';
import { inOwnNetwork } from '../../support/own-network';
import { PRIVATE_HOSTS, PUBLIC_ADDRESSES } from '../../support/private-addresses';

describeWhere('netns', hasNetworkNamespaces() && hasProgram('ip'), 'decoys at every address', () => {
  let report: DecoyReport;
  beforeAll(async () => {
    report = await inOwnNetwork<DecoyReport>('test/support/egress-decoys.main.ts');
  });

  it('would notice: without the guard they are reached, and packets are counted', () => {
    expect(report.control_reached).toEqual([
      '10.0.0.1',
      '169.254.169.254',
      '127.0.0.1',
      '100.64.0.1',
      'fd00:ec2::254',
      '64:ff9b::7f00:1',
    ]);
    expect(report.control_packets).toBeGreaterThan(0);
  });

  it('H01: no packet leaves for any private or metadata range, by address, name or plain connection', () => {
    expect(report.refused.filter(({ code }) => code !== 'egress_denied')).toEqual([]);
    expect(report.refused).toHaveLength(PRIVATE_HOSTS.length * 5);
    expect(report.packets).toBe(0);
  });

  it('the public internet is reached', () => {
    expect(report.let_through.filter(({ code }) => code !== 'ok')).toEqual([]);
    expect(report.reached).toEqual([...PUBLIC_ADDRESSES]);
  });

  it('H03: a redirect, and a name that changes, lead nowhere else', () => {
    expect(report.turned.filter(({ code }) => code !== 'egress_denied')).toEqual([]);
    expect(report.turned_reached).toEqual([PUBLIC_ADDRESSES[0]]);
  });
});
