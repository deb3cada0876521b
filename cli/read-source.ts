import { readFileSync } from 'node:fs';
import { unreadable } from './errors';

/** The text of a file; `-` is standard input. */
export function readSource(file: string): string {
  try {
    return readFileSync(file === '-' ? 0 : file, 'utf8');
  } catch (error) {
    throw unreadable(file, error);
  }
}
