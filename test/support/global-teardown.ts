import { removeRunFolder } from './run-folder';

export default function teardown(): void {
  removeRunFolder();
}
