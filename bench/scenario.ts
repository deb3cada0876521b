import type { Implementation } from './implementations';

/** One situation in which implementations are measured one after the other, in another order in each round. */
export interface Scenario {
  name: string;
  /** Steps of each run, so that the cost of a step can be shown too. */
  steps?: number;
  /** Prepares the scenario once, before any measurement of it. */
  prepare?: () => Promise<void>;
  implementations: {
    name: string;
    callers: number;
    count: number;
    run: Implementation;
    /** Number of parts of a run that are counted instead of the run, such as the requests of a walk over pages. */
    parts?: number;
    /** True: an implementation whose first run fails is reported and left out. */
    mayBeRefused?: true;
    /** Waits after each measurement until nothing of it is still at work. */
    after?: () => Promise<void>;
  }[];
  /** Cleans up once, after everything. */
  close?: () => Promise<void>;
}
