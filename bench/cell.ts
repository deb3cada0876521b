import type { Contender } from './contenders';

/** One situation in which contenders are measured one after the other, in each round in another order. */
export interface Cell {
  name: string;
  /** Once, before anything of the cell is measured. */
  prepare?: () => Promise<void>;
  contenders: {
    name: string;
    callers: number;
    count: number;
    run: Contender;
    /** What counts is each of so many parts of a run, as calls of a walk over pages. */
    parts?: number;
    /** After each measurement: until nothing of it goes on any more. */
    after?: () => Promise<void>;
  }[];
  /** Once, after everything. */
  close?: () => Promise<void>;
}
