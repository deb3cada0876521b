import { expect, it } from '@jest/globals';
import { STYLE } from '../../../src/pages/style';

/** Relative luminance and contrast as WCAG 2.2 has them. */
function luminance(hex: string): number {
  const digits = hex.length === 3 ? hex.replace(/./g, '$&$&') : hex;
  const [red = 0, green = 0, blue = 0] = [0, 2, 4].map((at) => {
    const part = Number.parseInt(digits.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

const [day = '', night = ''] = STYLE.split('\n').filter((line) => line.includes(':root{'));

it.each([
  ['by day', day],
  ['by night', night],
])('pages have colours that can be read %s (WCAG AA)', (_when, line) => {
  const colour = Object.fromEntries(
    [...line.matchAll(/--([a-z-]+):#([0-9a-f]+)/g)].map(([, name, hex]) => [name, hex]),
  );
  const of = (front: string, back: string): number => contrast(colour[front] ?? '', colour[back] ?? '');
  for (const back of ['back', 'soft']) {
    for (const front of ['ink', 'quiet', 'go', 'no'])
      expect([front, back, of(front, back) >= 4.5]).toEqual([front, back, true]);
    // The edge of a field or a button tells where it is.
    expect(of('line', back)).toBeGreaterThanOrEqual(3);
  }
  expect(of('on-go', 'go')).toBeGreaterThanOrEqual(4.5);
});
