import 'reflect-metadata';
import { writeFileSync } from 'node:fs';
import { openApiText } from './app/openapi-text';

/** Writes the committed document: `node openapi.main.js <file>`. */
void openApiText().then((text) => writeFileSync(process.argv[2] ?? 'openapi.json', text));
