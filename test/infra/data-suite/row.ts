import type { Said } from './said';
import type { World } from './world';

export interface Row {
  /** `kind/name` of the file. */
  path: string;
  said: Said;
  world: World;
}

/** Reads the file through the product and compares what it finds with what the description says. */
export type Check = (row: Row) => Promise<void>;

/** Name of a file of one kind → how it is checked. */
export type Checks = { [file: string]: Check };

/** One check for several files. */
export function each(check: Check, ...files: string[]): Checks {
  return Object.fromEntries(files.map((file) => [file, check]));
}
