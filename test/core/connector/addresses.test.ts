import { describe, expect, it } from '@jest/globals';
import { addressFault } from '../../../core/connector/http-names';
import { parseConnector } from '../../../core/connector/parse';

describe('addresses', () => {
  // findings/zone-id.yaml
  it('a zone of an IPv6 address is refused where it stands', () => {
    const { definition, problems } = parseConnector(
      'id: fez\nname: H\ntype: rest_api\nconnection: {base_url: "http://[fe80::1%25lo]:9199/"}\nendpoints:\n  r: {path: /x}\n',
    );
    expect(definition).toBeUndefined();
    expect(problems).toMatchObject([
      { code: 'invalid_address', line: 4, message: expect.stringContaining('zone of an IPv6 address') },
    ]);
  });

  it.each([
    'http://[fe80::1%lo]/',
    'http://[::1',
    'http://[v1.x]/',
    'http://user@h.example',
    'http://@h.example',
    'http://h.example:80@evil.example',
    'http://h.example:65536',
    'http://h.example:8a',
    'http://h.example:-1',
    'http://256.256.256.256',
    'http://1.2.3.4.5',
    'http://a\u0001b.example',
    'http://a\u007fb.example',
    'http://a%00b.example',
    'http://a%2fb.example',
    'http://a|b.example',
    'http://h\\x',
    'http://h.example/\u0001',
    'http://h.example/a\ud800',
    'http:///x',
    'https://',
    'ftp://h.example',
    '//h.example',
    'http://h.example?a=b',
    'http://h.example#x',
  ])('%j is none', (address) => {
    expect(addressFault(address)).toEqual(expect.any(String));
  });

  it.each([
    'http://[::1]:8080/v1',
    'http://[::ffff:127.0.0.1]',
    'https://bücher.example',
    'https://api.example.org.',
    'https://api.example.org.:8443/v1/',
    'HTTP://API.example.org',
    'http://127.1',
    'http://a_b.example/%zz/é',
  ])('%j is one, and can be called', (address) => {
    expect(addressFault(address)).toBeUndefined();
    expect(URL.canParse(`${address.replace(/\/+$/, '')}/path`)).toBe(true);
  });
});
