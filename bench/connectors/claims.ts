import type { Claim } from '../claims';
import { BARE_PAGES, PAGES, PAGING_SCENARIO } from './paging-scenario';
import { byLibrary, PARSE_SCENARIO } from './parse-scenario';
import { FORMATS } from './readers';

const FLOOR = 0.7;

export const CONNECTOR_CLAIMS: readonly Claim[] = [
  ...FORMATS.map(({ name, bytes }): Claim => ({
    title: `${name} of ${(bytes.length / 1_000_000).toFixed(1)} MB, read`,
    scenario: PARSE_SCENARIO,
    product: name,
    bare: byLibrary(name),
    measure: 'rate',
    unit: 'documents/s',
    floor: FLOOR,
  })),
  {
    title: 'Pages of a source that answers after 20 ms, 20 callers',
    scenario: PAGING_SCENARIO,
    product: PAGES,
    bare: BARE_PAGES,
    measure: 'rate',
    unit: 'calls/s',
    floor: FLOOR,
  },
];
