import { describe, expect, it } from '@jest/globals';
import { isHostAllowed, isHostPattern } from '../../../infra/egress/secret-hosts';

describe('hosts of a secret', () => {
  it.each([
    ['api.example.org', 'https://api.example.org/x', true],
    ['API.Example.org', 'https://api.example.ORG./x', true],
    ['api.example.org', 'http://api.example.org:8080/', true],
    ['api.example.org:443', 'https://api.example.org/', true],
    ['api.example.org:443', 'http://api.example.org/', false],
    ['api.example.org:8443', 'https://api.example.org/', false],
    ['example.org', 'https://api.example.org/', false],
    ['api.example.org', 'https://api.example.org.evil.test/', false],
    ['api.example.org', 'https://evil.test/api.example.org', false],
    ['*.example.org', 'https://a.b.example.org/', true],
    ['*.example.org', 'https://example.org/', false],
    ['*.example.org', 'https://badexample.org/', false],
    ['127.0.0.1', 'http://0x7f.1/', true],
    ['127.0.0.1:80', 'http://127.0.0.1:81/', false],
    ['[::1]:8080', 'http://[0:0:0:0:0:0:0:1]:8080/', true],
    ['[::1]', 'http://[::2]/', false],
    ['*', 'https://anything.test/', true],
  ])('%s covers %s: %s', (pattern, url, allowed) => {
    expect(isHostPattern(pattern)).toBe(true);
    expect(isHostAllowed([pattern], new URL(url))).toBe(allowed);
  });

  it('no entry covers nothing', () => expect(isHostAllowed([], new URL('https://a.test'))).toBe(false));

  it.each(['', '**', '*.', '.a', 'a.', 'https://a', 'a/b', 'a b', 'a@b', 'a:b', 'a:123456', '*.*.a', 'a.*', '[x]'])(
    '%j is no pattern',
    (text) => expect(isHostPattern(text)).toBe(false),
  );
});
