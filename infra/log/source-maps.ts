import { setSourceMapsSupport } from 'node:module';

/**
 * The first import of the API, the worker and their threads: stacks name our sources. The maps of packages are left alone; to
 * read them, as `node --enable-source-maps` does, takes a fifth of a start.
 */
setSourceMapsSupport(true, { nodeModules: false, generatedCode: false });
