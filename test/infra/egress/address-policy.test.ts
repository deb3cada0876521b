import { describe, expect, it } from '@jest/globals';
import { allowListOf, canonicalHost, isAllowed, isPublicAddress } from '../../../infra/egress/address-policy';
import { PRIVATE_HOSTS, PUBLIC_ADDRESSES } from '../../support/private-addresses';

/** Host as a URL normalises it. */
const hostOf = (host: string): string => canonicalHost(new URL(`http://${host}/`).hostname);

describe('addresses', () => {
  it.each(PRIVATE_HOSTS)('%s is not public', (host) => expect(isPublicAddress(hostOf(host))).toBe(false));
  it.each(PUBLIC_ADDRESSES)('%s is public', (address) => expect(isPublicAddress(address)).toBe(true));
  it.each(['', 'example.org', '1.2.3.4.5', '::g', '1.2.3.4/24'])('%j is no address', (text) =>
    expect(isPublicAddress(text)).toBe(false),
  );
});

describe('the allow-list', () => {
  const allow = allowListOf(['Intranet.Example:443', '10.0.0.5:8080', '[fd00::5]:80']);
  it.each([
    ['intranet.example', 443, true],
    ['INTRANET.example.', 443, true],
    ['intranet.example', 80, false],
    ['www.intranet.example', 443, false],
    ['intranet.example.evil.test', 443, false],
    ['10.0.0.5', 8080, true],
    ['0xa000005', 8080, true],
    ['::ffff:10.0.0.5', 8080, true],
    ['10.0.0.5', 8081, false],
    ['10.0.0.6', 8080, false],
    ['[fd00:0::5]', 80, true],
    ['fd00::6', 80, false],
  ])('%s:%i: %s', (host, port, allowed) => expect(isAllowed(allow, host, port)).toBe(allowed));
});
