import type { Operation } from './operation';
import { aggregate } from './ops/aggregate';
import { chunk } from './ops/chunk';
import { compute } from './ops/compute';
import { concat } from './ops/concat';
import { deduplicate } from './ops/deduplicate';
import { filter } from './ops/filter';
import { flatten } from './ops/flatten';
import { join } from './ops/join';
import { limit } from './ops/limit';
import { pivot } from './ops/pivot';
import { previous } from './ops/previous';
import { rename } from './ops/rename';
import { sample } from './ops/sample';
import { select } from './ops/select';
import { sort } from './ops/sort';
import { unpivot } from './ops/unpivot';
import { window } from './ops/window';
import { zip } from './ops/zip';

/** Every operation by the name that a playbook uses. A new one: a file under `ops/` and a line here. */
export const OPERATIONS: ReadonlyMap<string, Operation> = new Map([
  ['filter', filter],
  ['sort', sort],
  ['aggregate', aggregate],
  ['deduplicate', deduplicate],
  ['limit', limit],
  ['select', select],
  ['rename', rename],
  ['compute', compute],
  ['flatten', flatten],
  ['join', join],
  ['previous', previous],
  ['chunk', chunk],
  ['pivot', pivot],
  ['sample', sample],
  ['unpivot', unpivot],
  ['window', window],
  ['zip', zip],
  ['concat', concat],
]);
