import type { Draft } from './draft';
import type { MapReader } from './map-reader';
import type { StepPlan } from './types';

/** Facts for parsing a step, beside its own mapping. */
export interface StepContext {
  draft: Draft;
  /** Lists of steps around this one, this list included. */
  depth: number;
  /** Reads the steps of a list field one level deeper. */
  parseList: (owner: MapReader, field: string) => StepPlan[];
}
