import { createRunFolder } from './run-folder';

/** Makes the folder of the run. The servers start when the first test asks for them (run-folder, postgres, temporal). */
export default function setup(): void {
  createRunFolder();
}
