import { beforeAll, it } from '@jest/globals';

type Body = () => Promise<void>;

/**
 * Cases that wait most of their time and share nothing: all of them begin before the first one is asked for, and each is
 * judged under its own name. In place of `it.concurrent`, which does not wait for `beforeAll`.
 */
export function together(declare: (it: (name: string, body: Body) => void) => void): void {
  const cases: { name: string; body: Body; done?: Promise<void> }[] = [];
  declare((name, body) => cases.push({ name, body }));
  beforeAll(() => {
    for (const each of cases) {
      each.done = each.body();
      // Its own test says what went wrong.
      each.done.catch(() => undefined);
    }
  });
  for (const each of cases) it(each.name, () => each.done);
}
