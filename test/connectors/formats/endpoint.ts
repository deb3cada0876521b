import type { FileEndpoint } from '../../../core/connector/types';

/** A compiled endpoint with the defaults of the language. */
export function fileEndpoint(given: Partial<FileEndpoint> & Pick<FileEndpoint, 'parser'>): FileEndpoint {
  return { fields: [], groups: {}, delimiter: ',', encoding: 'auto', header: true, ...given };
}
