import { changed } from '../fixtures';
import type { Row } from './row';

export const AUTH: Row[] = [
  ['a way to log in', changed('auth-none', 'type: none', 'type: digest'), 'invalid_value', 'digest'],
  ['a key of another way', changed('auth-basic', 'username: me', 'scope: all'), 'unknown_field', 'scope'],
  [
    'a user name with a colon',
    changed('auth-basic', 'username: me', 'username: "me:you"'),
    'invalid_value',
    '"me:you"',
  ],
  [
    'a secret that is missing',
    changed('auth-basic', ', secret: { secret: PASSWORD }', ''),
    'missing_field',
    '{ type: basic',
    'Add `secret: {secret: NAME}`.',
  ],
  ['a secret as text', changed('auth-basic', '{ secret: PASSWORD }', 'hunter2'), 'secret_not_allowed', 'hunter2'],
  ['a secret name', changed('auth-basic', 'PASSWORD', '"a b"'), 'invalid_value', '"a b"'],
  [
    'no token address',
    changed('auth-oauth2', 'token_url: https://login.example.org/token, ', ''),
    'missing_field',
    '{ type: oauth2',
  ],
  [
    'a token address',
    changed('auth-oauth2', 'https://login.example.org/token', 'file:///etc/passwd'),
    'invalid_address',
    'file:',
  ],
  ['a digest header', changed('auth-hmac', 'X-Sign', 'Host'), 'invalid_header', 'Host'],
  [
    'a template',
    changed('auth-hmac', '{timestamp}.{body}', '{timestamp}.{bodi}'),
    'unknown_reference',
    '"{timestamp}.',
    'body',
  ],
  [
    'a time that is not sent',
    changed('auth-hmac', '    timestamp_header: X-Time\n', ''),
    'missing_field',
    '"{timestamp}.',
  ],
  [
    'a stored connection',
    changed('auth-connection', ', connection: my-crm', ''),
    'missing_field',
    '{ type: connection',
  ],
];

export const GRAPHQL: Row[] = [
  [
    'two spellings of the address',
    changed('graphql', '  headers:', '  base_url: https://a.example\n  headers:'),
    'duplicate_name',
    'endpoint: https',
  ],
  [
    'a query that is not closed',
    changed('graphql', '"{ viewer { login } }"', '"{ viewer { login }"'),
    'invalid_query',
    '"\n    output_schema',
  ],
  [
    'a second operation',
    changed('graphql', '"{ viewer { login } }"', '"{ a } query { b }"'),
    'invalid_query',
    'query { b }',
  ],
  [
    'a subscription',
    changed('graphql', '"{ viewer { login } }"', '"subscription { a }"'),
    'invalid_query',
    'subscription',
  ],
  [
    'an undeclared variable in the text',
    changed('graphql', 'first: $first, after', 'first: $frist, after'),
    'invalid_query',
    'frist',
  ],
  [
    'an undeclared variable',
    changed('graphql', '{ name: first,', '{ name: frist,'),
    'unknown_reference',
    'frist',
    'first',
  ],
  [
    'a variable without a value',
    changed('graphql', '[{ name: id, required: true }]', '[]'),
    'unknown_reference',
    'id: ID!',
  ],
  ['a cursor of no variable', changed('graphql', 'param: after', 'param: before'), 'unknown_reference', 'before'],
  [
    'an operation that the text is not',
    changed('graphql', 'operation: query', 'operation: mutation'),
    'invalid_value',
    'mutation\n',
  ],
  [
    'a variable in the query',
    changed('graphql', 'name: after, in: body', 'name: after, in: query'),
    'invalid_value',
    'query }',
  ],
  [
    'no query',
    changed('graphql', 'query: "{ viewer { login } }"', 'partial_data: accept'),
    'missing_field',
    'partial_data: accept',
  ],
];
