import { writeFileSync } from 'node:fs';
import { unwritable } from './errors';

/** Writes what was asked for where it was asked for; throws with the place and why not. */
export function writeOut(file: string, bytes: Uint8Array): void {
  try {
    writeFileSync(file, bytes);
  } catch (error) {
    throw unwritable(file, error);
  }
}
