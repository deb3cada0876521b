import { setSourceMapsSupport } from 'node:module';

/**
 * The first import of every process and thread of ours: stacks name our sources. The maps of packages are left alone; to
 * read them, as `node --enable-source-maps` does, takes a fifth of a start.
 */
setSourceMapsSupport(true, { nodeModules: false, generatedCode: false });
