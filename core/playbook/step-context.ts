import type { Draft } from './draft';
import type { MapReader } from './map-reader';
import type { StepPlan } from './types';

/** Everything that parsing a step needs to know beside its own mapping. */
export interface StepContext {
  draft: Draft;
  /** Lists of steps around this one, this list included. */
  depth: number;
  /** Reads the steps of a list field one level deeper. */
  parseList: (owner: MapReader, field: string) => StepPlan[];
}
