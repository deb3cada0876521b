import { createRunFolder } from './run-folder';

/** Servers start when the first test asks for them (run-folder, postgres, temporal); here is only their place. */
export default function setup(): void {
  createRunFolder();
}
