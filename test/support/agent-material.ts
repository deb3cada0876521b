import type { ServerResponse } from 'node:http';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { DATA_DIR } from './data';
import type { SeenRequest } from './http-source';

/** Keys that the sources ask for. */
export const AGENT_KEYS = { FEC_API_KEY: 'fec-key-of-the-tests', OPENCORPORATES_API_TOKEN: 'oc-token-of-the-tests' };
export const CONSTRUCTED = path.join(__dirname, '../fixtures/constructed/agents');

export type Row = Record<string, unknown>;
export type Source = (url: URL, request: SeenRequest, response: ServerResponse) => void;

export const constructed = (name: string): unknown => JSON.parse(readFileSync(path.join(CONSTRUCTED, name), 'utf8'));
export const recorded = (name: string): unknown => JSON.parse(readFileSync(path.join(DATA_DIR, name), 'utf8'));
