import type { Scenario } from '../scenario';
import { mustEqual } from '../documents';
import { FORMATS, type Format } from './readers';

export const PARSE_SCENARIO = 'parse';
const DOCUMENTS = 15;

/** Parses documents with the product and with the same library alone, in this process. */
export function parseScenario(some: (count: number) => number): Scenario {
  const common = { callers: 1, count: some(DOCUMENTS) };
  return {
    name: PARSE_SCENARIO,
    prepare: async () => {
      for (const format of FORMATS) {
        const [ours, theirs] = [await format.product(format.bytes), format.library(format.bytes)];
        mustEqual(ours.length > 0 && ours, theirs, `${format.name}, product and library`);
      }
    },
    implementations: FORMATS.flatMap((format) => [
      { ...common, name: format.name, run: reading(format, 'product') },
      { ...common, name: byLibrary(format.name), run: reading(format, 'library') },
    ]),
  };
}

export function byLibrary(format: string): string {
  return `${format}, its library`;
}

function reading({ name, bytes, ...readers }: Format, by: 'product' | 'library'): () => Promise<void> {
  let expected: number | undefined;
  return async () => {
    const { length } = await readers[by](bytes);
    expected ??= length;
    mustEqual(length, expected, `${name}, records`);
  };
}
