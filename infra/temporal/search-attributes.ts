import { setTimeout as sleep } from 'node:timers/promises';
import { status as grpc } from '@grpc/grpc-js';
import { isGrpcServiceError, type Client } from '@temporalio/client';
import { defineSearchAttributeKey, type SearchAttributePair } from '@temporalio/common';
import { temporal } from '@temporalio/proto';
import type { RunRow } from '../db/stores/run-types';

/** Ids and enumerated values only: search attributes are not encrypted. */
const KEYS = {
  owner: defineSearchAttributeKey('AfOwner', 'KEYWORD'),
  profile: defineSearchAttributeKey('AfProfile', 'KEYWORD'),
  playbook: defineSearchAttributeKey('AfPlaybook', 'KEYWORD'),
  context: defineSearchAttributeKey('AfRunContext', 'KEYWORD'),
  status: defineSearchAttributeKey('AfStatus', 'KEYWORD'),
} as const;

export function runAttributes(row: RunRow): SearchAttributePair[] {
  return [
    { key: KEYS.owner, value: row.owner_id },
    { key: KEYS.playbook, value: row.playbook_slug },
    { key: KEYS.context, value: row.run_context },
    { key: KEYS.status, value: 'running' },
  ];
}

/**
 * Makes sure that the namespace knows our attributes. False = they may not be created here, or the server has none: runs
 * go without, and lists in Temporal Web cannot be filtered by them. Throws while the server does not answer.
 */
export async function ensureSearchAttributes(client: Client): Promise<boolean> {
  try {
    return (await createMissing(client)) ? await probe(client) : true;
  } catch (error) {
    if (isGrpcServiceError(error) && !PASSING.includes(error.code)) return false;
    throw error;
  }
}

const PASSING = [grpc.UNAVAILABLE, grpc.DEADLINE_EXCEEDED, grpc.CANCELLED, grpc.RESOURCE_EXHAUSTED];

async function createMissing(client: Client): Promise<boolean> {
  const { namespace } = client.options;
  const { connection } = client;
  const known = await connection.operatorService.listSearchAttributes({ namespace });
  const missing = Object.values(KEYS).filter((key) => known.customAttributes?.[key.name] === undefined);
  if (missing.length === 0) return false;
  const keyword = temporal.api.enums.v1.IndexedValueType.INDEXED_VALUE_TYPE_KEYWORD;
  const searchAttributes = Object.fromEntries(missing.map((key) => [key.name, keyword]));
  await connection.operatorService.addSearchAttributes({ namespace, searchAttributes });
  return true;
}

/** The server caches the list: new names are refused for a while. A start that is accepted proves them. */
async function probe(client: Client): Promise<boolean> {
  const deadline = Date.now() + 30_000;
  while (Date.now() < deadline) {
    try {
      const typedSearchAttributes = Object.values(KEYS).map((key) => ({ key, value: 'probe' }));
      const workflowId = `af-probe-${crypto.randomUUID()}`;
      const handle = await client.workflow.start('afProbe', {
        workflowId,
        taskQueue: 'af-probe',
        typedSearchAttributes,
      });
      await handle.terminate('probe of search attributes');
      return true;
    } catch {
      await sleep(500);
    }
  }
  return false;
}
