import { expect, it } from '@jest/globals';
import { parseConnector } from '../../../core/connector/parse';

const codes = (path: string): string[] => {
  const source = `id: c\nname: C\ntype: rest_api\nconnection: {base_url: "https://a.test"}\nendpoints: {e: {path: ${JSON.stringify(path)}}}\n`;
  return parseConnector(source).problems.map(({ code, message }) => `${code} ${message.includes('`path`')}`);
};

it.each(['/j\u0000', '/j\u0001k', '/\u007f', '/\u0085', '/a\tb', '/a?b', '/a#b', '/a\\b', 'a'])(
  'a path like %j is refused: it would leave as another one',
  (path) => {
    expect(codes(path)).toHaveLength(1);
  },
);

it.each(['/', '/a/b', '/ä/%20', "/a(b)'c"])('%j is a path', (path) => {
  expect(codes(path)).toEqual([]);
});
