import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The catalogue beside the code: the nearest `catalog` folder with connectors, whether this runs from sources or from `dist`. */
export function catalogDirectory(from: string = __dirname): string {
  for (let directory = from; ; directory = dirname(directory)) {
    const candidate = join(directory, 'catalog');
    if (existsSync(join(candidate, 'connectors'))) {
      return candidate;
    }
    if (dirname(directory) === directory) {
      throw new Error('The folder `catalog` is missing from this installation.');
    }
  }
}

/** Filings that the example playbook reads when it is given nothing else. */
export function exampleFilings(catalog: string = catalogDirectory()): string {
  return join(catalog, 'examples', 'filings');
}
