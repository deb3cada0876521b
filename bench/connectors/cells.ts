import type { Cell } from '../cell';
import type { Size } from '../cells';
import type { Stack } from '../stack';
import { pagingCell } from './paging-cell';
import { parseCell } from './parse-cell';

/** Connectors, beside the libraries that they use. */
export function connectorCells(stack: Stack, size: Size): Cell[] {
  const some = (count: number): number => Math.max(3, Math.round(count * size.scale));
  return [parseCell(some), pagingCell(stack, some)];
}
