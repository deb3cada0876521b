import { describe, expect, it } from '@jest/globals';
import { isAllowedByRobots, parseRobots, ROBOTS_BYTES } from '../../../../connectors/kinds/scraper/robots';

const allowed = (robots: string | Buffer, path: string): boolean =>
  isAllowedByRobots(parseRobots(Buffer.from(robots)), new URL(path, 'https://example.org'));

describe('robots.txt (RFC 9309)', () => {
  const ALL = 'User-agent: *\n';
  it.each([
    ['nothing', '', '/a', true],
    ['a rule for all', `${ALL}Disallow: /a`, '/a/b', false],
    ['another path', `${ALL}Disallow: /a`, '/b', true],
    ['everything', `${ALL}Disallow: /`, '/', false],
    ['an empty path says nothing', `${ALL}Disallow:`, '/a', true],
    ['robots.txt itself', `${ALL}Disallow: /`, '/robots.txt', true],
    ['the longest match decides', `${ALL}Disallow: /a\nAllow: /a/b`, '/a/b/c', true],
    ['the longest match decides, whatever the order', `${ALL}Allow: /a/b\nDisallow: /a/b/c`, '/a/b/c', false],
    ['allow on a tie', `${ALL}Disallow: /a\nAllow: /a`, '/a', true],
    ['a star', `${ALL}Disallow: /*.php`, '/x/y.php?a', false],
    ['a star in the middle', `${ALL}Disallow: /a*/c`, '/abb/c', false],
    ['two stars', `${ALL}Disallow: /*a*b`, '/xbxa', true],
    ['the end', `${ALL}Disallow: /*.php$`, '/x.php', false],
    ['not at the end', `${ALL}Disallow: /*.php$`, '/x.php?a', true],
    ['the end of the first piece', `${ALL}Disallow: /a$`, '/ab', true],
    ['a piece and an end that overlap', `${ALL}Disallow: /*aa*a$`, '/aa', true],
    ['a query', `${ALL}Disallow: /a?x=`, '/a?x=1', false],
    ['encoded and not', `${ALL}Disallow: /a%2Db/%C3%A4`, '/a-b/ä', false],
    ['an encoded slash is another path', `${ALL}Disallow: /a/b`, '/a%2Fb', true],
    ['case of a path', `${ALL}Disallow: /A`, '/a', true],
    ['our own group', `${ALL}Disallow: /\nUser-agent: AgentFactory\nDisallow: /x`, '/a', true],
    ['our own group, in any case and with a version', 'user-agent: AGENTFACTORY/2.0\nDISALLOW: /x', '/x', false],
    [
      'our groups count together',
      'User-agent: agentfactory\nDisallow: /a\nUser-agent: b\nDisallow: /b\nUser-agent: agentfactory\nDisallow: /c',
      '/c',
      false,
    ],
    ['a longer name is another', `User-agent: AgentFactoryBot\nDisallow: /`, '/a', true],
    ['our empty group frees us', `${ALL}Disallow: /\nUser-agent: AgentFactory\nDisallow:`, '/a', true],
    ['several agents of one group', 'User-agent: a\nUser-agent: AgentFactory\nDisallow: /a', '/a', false],
    [
      'other lines do not part a group',
      'User-agent: *\nSitemap: https://x/\nCrawl-delay: 3\nDisallow: /a',
      '/a',
      false,
    ],
    ['a rule before any agent', 'Disallow: /\nUser-agent: *\nAllow: /', '/a', true],
    ['comments and line ends', '\ufeffUser-agent: * # all\r\rDisallow: /a # not this\r\n', '/a', false],
    ['a page in place of the file', '<!doctype html><title>x</title>', '/a', true],
  ])('%s', (_name, robots, path, expected) => {
    expect(allowed(robots, path)).toBe(expected);
  });

  it('500 KiB are read, and no more', () => {
    const rule = 'User-agent: *\nDisallow: /a\n';
    const filler = (bytes: number): string => `${'#'.repeat(bytes - 1)}\n`;
    expect(allowed(filler(ROBOTS_BYTES - rule.length) + rule, '/a')).toBe(false);
    expect(allowed(filler(ROBOTS_BYTES) + rule, '/a')).toBe(true);
  });

  it('P10: a pattern of many stars against a long path ends', () => {
    const robots = `User-agent: *\nDisallow: /${'*a'.repeat(5_000)}$\n`;
    expect(allowed(robots, `/${'a'.repeat(10_000)}b`)).toBe(true);
    expect(allowed(robots, `/${'a'.repeat(10_000)}`)).toBe(false);
  });
});
