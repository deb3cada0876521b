import { describe, expect, it } from '@jest/globals';
import { isOwnHost, isOwnOrigin, publicAddress } from '../../../src/http/host-rules';

const LISTED = ['Factory.example.org:443', '[2001:db8::1]:8080'];

describe('hosts of a request', () => {
  it.each([
    ['factory.example.org:443', true],
    ['FACTORY.example.org', true],
    ['factory.example.org:8443', false],
    ['other.example.org', false],
    ['[2001:db8::1]:8080', true],
    ['[2001:db8::1]', false],
    ['127.0.0.1:3000', true],
    ['127.0.0.1', false],
    ['factory.example.org:443@evil.test', false],
  ])('%s: %s', (host, own) => {
    expect(isOwnHost(host, 3000, LISTED)).toBe(own);
  });

  it.each([
    ['https://factory.example.org', 'factory.example.org:443', true],
    ['https://factory.example.org', 'factory.example.org', true],
    ['https://factory.example.org:443', 'factory.example.org:443', true],
    ['http://factory.example.org', 'factory.example.org:80', true],
    ['https://factory.example.org', 'factory.example.org:8443', false],
    ['https://evil.test', 'factory.example.org:443', false],
    ['null', 'factory.example.org', false],
  ])('a page of %s calls %s: %s', (origin, host, own) => {
    expect(isOwnOrigin(origin, host)).toBe(own);
  });

  it.each([
    [[], 'http://127.0.0.1:3000'],
    [['127.0.0.1:8080', 'factory.example.org:443'], 'http://127.0.0.1:8080'],
    [['factory.example.org:443'], 'https://factory.example.org'],
    [['[2001:db8::1]:8080'], 'http://[2001:db8::1]:8080'],
  ])('of %j the address for clients is %s', (listed, address) => {
    expect(publicAddress('http://127.0.0.1:3000', listed)).toBe(address);
  });
});
