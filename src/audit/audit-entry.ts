import { createHash } from 'node:crypto';
import { canonicalJson } from '../../core/base/canonical-json';
import type { Json } from '../../core/base/json';
import type { AuditEntry } from '../../infra/db/stores/identity/audit.store';
import type { Identity } from '../access/identity';

interface Deed {
  action: string;
  objectType: string;
  objectId: string | null;
  requestId: string | null;
  before?: string | null;
  after?: string | null;
  objectPath?: string | null;
}

export function auditEntry(
  who: Pick<Identity, 'ownerId' | 'actor' | 'peer'> & { means: string; credentialId: string | null },
  deed: Deed,
): AuditEntry {
  const { ownerId, actor, means, credentialId, peer } = who;
  return { ownerId, actor, means, credentialId, peer, before: null, after: null, ...deed };
}

/** SHA-256 of an object's canonical JSON; null for what is none. */
export function digestOf(value: unknown): string | null {
  if (typeof value !== 'object' || value === null || Buffer.isBuffer(value)) return null;
  if ('pipe' in value || 'getStream' in value) return null;
  const json = JSON.parse(JSON.stringify(value)) as Json;
  return createHash('sha256').update(canonicalJson(json)).digest('hex');
}
