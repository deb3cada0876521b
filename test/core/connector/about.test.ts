import { describe, expect, it } from '@jest/globals';
import { authFields } from '../../../core/connector/auth-fields';
import { parseConnector } from '../../../core/connector/parse';
import { changed, FIXTURES, placeOf } from './fixtures';

const field = (name: string, label: string, secret: string): object => ({ name, label, type: 'password', secret });

describe('what a connector says of itself', () => {
  it('is kept as written', () => {
    expect(parseConnector(FIXTURES['rest-api'] ?? '').definition).toMatchObject({
      icon: '🎁',
      category: 'nonprofit',
      tags: ['grants', 'us-data'],
    });
    const bare = parseConnector(FIXTURES['auth-none'] ?? '').definition;
    expect(['icon', 'category', 'tags'].filter((name) => name in (bare ?? {}))).toEqual([]);
  });

  it.each([
    ['a form', '[grants, US Élections]', 'US Él', 'invalid_value', 'Write us-elections.'],
    ['a number', '[grants, 2024]', '2024', 'invalid_type', 'Write "2024".'],
    ['one twice', '[grants, eu, grants]', 'grants]', 'duplicate_name', 'Leave one out.'],
    ['too many', `[${Array.from({ length: 21 }, (_, no) => `t${no}`).join(', ')}]`, '[t0', 'invalid_value', undefined],
    ['no list', 'grants', 'grants\n', 'invalid_type', undefined],
  ])('tags: %s is refused at its place', (_what, tags, marker, code, suggestion) => {
    const text = changed('rest-api', '[grants, us-data]', tags);
    const { definition, problems } = parseConnector(text);
    expect(definition).toBeUndefined();
    const found = problems.filter(({ severity }) => severity === 'error');
    const at = text.indexOf('tags: ');
    const place = placeOf(text, text.slice(text.indexOf(marker, at)));
    expect(found).toEqual([expect.objectContaining({ code, ...place })]);
    expect(found[0]?.suggestion).toBe(suggestion);
  });
});

describe('what has to be stored before a connector is used', () => {
  const auth = (text: string): string =>
    `id: a\ntype: rest_api\nconnection: {base_url: https://a.example, auth: ${text}}\nendpoints: {e: {path: /e}}\n`;
  it.each([
    ['{type: none}', []],
    ['{type: api_key, secret: {secret: K}}', [field('api_key', 'API key', 'K')]],
    ['{type: bearer_token, env_var: T}', [field('token', 'Token', 'T')]],
    ['{type: basic, username: me, secret: {secret: P}}', [field('password', 'Password', 'P')]],
    ['{type: basic, secret: {secret: P}}', [field('password', 'user:password', 'P')]],
    [
      '{type: oauth2_client_credentials, token_url: https://a.example/t, client_id: c, secret: {secret: S}}',
      [field('client_secret', 'Client secret', 'S')],
    ],
    [
      '{type: oauth2_client_credentials, token_url: https://a.example/t, secret: {secret: S}}',
      [field('client_secret', 'client_id:client_secret', 'S')],
    ],
    ['{type: hmac, secret: {secret: H}}', [field('signing_key', 'Signing key', 'H')]],
    [
      '{type: connection, connection: mine}',
      [{ name: 'connection', label: 'Stored connection', type: 'connection', connection: 'mine' }],
    ],
  ])('%s', (text, fields) => {
    const { definition, problems } = parseConnector(auth(text));
    expect(problems.filter(({ severity }) => severity === 'error')).toEqual([]);
    expect(authFields(definition!)).toEqual(fields);
  });

  it('a database has an address; files, feeds and actions have nothing', () => {
    const of = (name: string): object[] => authFields(parseConnector(FIXTURES[name] ?? '').definition!);
    expect(of('database')).toMatchObject([{ name: 'connection_string', type: 'password' }]);
    expect(['file-tables', 'existing-tool'].map(of)).toEqual([[], []]);
  });
});
