import type { Implementation } from './implementations';

/** One situation in which implementations are measured one after the other, in each round in another order. */
export interface Scenario {
  name: string;
  /** Of each run: what a step costs is told as well. */
  steps?: number;
  /** Once, before anything of the scenario is measured. */
  prepare?: () => Promise<void>;
  implementations: {
    name: string;
    callers: number;
    count: number;
    run: Implementation;
    /** What counts is each of so many parts of a run, as calls of a walk over pages. */
    parts?: number;
    /** What fails at its first run cannot be done: it is told and left out. */
    mayBeRefused?: true;
    /** After each measurement: until nothing of it goes on any more. */
    after?: () => Promise<void>;
  }[];
  /** Once, after everything. */
  close?: () => Promise<void>;
}
