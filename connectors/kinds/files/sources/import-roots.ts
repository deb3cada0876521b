import { join, resolve } from 'node:path';
import { projectFolder } from '../../../../infra/embedded/home';

export interface ImportRoots {
  importRoots: string[];
  defaultDirectory: string;
}

/**
 * Directories that file connectors may read: those that the operator granted, or else the example's filings. Those lie
 * in the build as well as in the project, and a person names the ones that they see in the project.
 */
export function importRootsOf(granted: readonly string[], catalog: string): ImportRoots {
  const [first] = granted;
  if (first !== undefined) return { importRoots: [...granted], defaultDirectory: first };
  const example = join(catalog, 'examples/filings');
  const shown = resolve(projectFolder(), 'catalog/examples/filings');
  return { importRoots: [...new Set([example, shown])], defaultDirectory: example };
}
