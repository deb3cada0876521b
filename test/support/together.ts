import { beforeAll, it } from '@jest/globals';

type Body = () => Promise<void>;

/**
 * Cases that wait most of their time and share nothing: all of them begin before the result of the first is read, and each is
 * judged under its own name. Used instead of `it.concurrent`, which does not wait for `beforeAll`.
 */
export function together(declare: (it: (name: string, body: Body) => void) => void): void {
  const cases: { name: string; body: Body; done?: Promise<void> }[] = [];
  declare((name, body) => cases.push({ name, body }));
  beforeAll(() => {
    for (const each of cases) {
      each.done = each.body();
      // The case's own test reports the failure.
      each.done.catch(() => undefined);
    }
  });
  for (const each of cases) it(each.name, () => each.done);
}
