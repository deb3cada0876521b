import { dirname, join } from 'node:path';
import type * as Library from 'unpdf/pdfjs' with { 'resolution-mode': 'import' };

export type Pdf = Awaited<ReturnType<(typeof Library)['getDocument']>['promise']>;

/**
 * PDF.js as unpdf builds it for servers: one file, nothing to draw with. The package names it for `import` alone, which
 * CommonJS would have to do asynchronously and the test runner cannot do at all; so it is taken by its place.
 */
export const { getDocument } = require(join(dirname(require.resolve('unpdf')), 'pdfjs.mjs')) as typeof Library;
