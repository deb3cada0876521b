import { describe, expect, it } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const REPLAY = path.resolve(__dirname, '../replay');

/** Addresses of the blobs that stand in for payloads of a stored history. */
function references(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const { metadata, data } = value as { metadata?: { encoding?: unknown }; data?: unknown };
  const inner = Object.values(value).flatMap(references);
  if (typeof data !== 'string' || decoded(metadata?.encoding) !== 'binary/af-blob') return inner;
  return [(JSON.parse(decoded(data)) as { sha256: string }).sha256, ...inner];
}

function decoded(base64: unknown): string {
  return typeof base64 === 'string' ? Buffer.from(base64, 'base64').toString() : '';
}

describe('blobs of the stored histories', () => {
  it('are exactly those that a history refers to', () => {
    const histories = path.join(REPLAY, 'histories');
    const wanted = readdirSync(histories).flatMap((file) =>
      references(JSON.parse(readFileSync(path.join(histories, file), 'utf8'))),
    );
    const kept = readdirSync(path.join(REPLAY, 'blobs'), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.gz'))
      .map((file) => path.basename(file, '.gz'));
    expect(wanted.length).toBeGreaterThan(0);
    expect(kept.sort()).toEqual([...new Set(wanted)].sort());
  });
});
