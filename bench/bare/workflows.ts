import { condition, defineSignal, defineUpdate, proxyActivities, setHandler, workflowInfo } from '@temporalio/workflow';
import type { JsonObject } from '../../core/base/json';
import type * as activities from './activities';
import type { SegmentActivities } from './segment';

/** The same steps as written by hand on Temporal: no playbook, no log, no store except the segments' own. */
const { addField, chainSegment, fanOutSegment } = proxyActivities<typeof activities & SegmentActivities>({
  startToCloseTimeout: '5 minutes',
});

function add(document: JsonObject, no: number): JsonObject {
  return { ...document, [`f${no}`]: no };
}

export async function chainOfActivities(document: JsonObject, steps: number): Promise<JsonObject> {
  let current = document;
  for (let no = 1; no <= steps; no++) current = await addField(current, `f${no}`, no);
  return current;
}

export async function chainInSegment(document: JsonObject, steps: number): Promise<JsonObject> {
  return chainSegment(workflowInfo().workflowId, document, steps);
}

export async function chainInline(document: JsonObject, steps: number): Promise<JsonObject> {
  let current = document;
  for (let no = 1; no <= steps; no++) current = add(current, no);
  return current;
}

export const approveSignal = defineSignal('approve');
export const approveUpdate = defineUpdate<string>('approveNow');

export async function twoWaitTwo(document: JsonObject): Promise<JsonObject> {
  let approved = false;
  setHandler(approveSignal, () => {
    approved = true;
  });
  setHandler(approveUpdate, () => {
    approved = true;
    return 'counted';
  });
  const before = add(add(document, 1), 2);
  await condition(() => approved);
  return add(add(before, 3), 4);
}

export async function fanOutActivities(branches: number): Promise<number> {
  const numbers = Array.from({ length: branches }, (_each, at) => at + 1);
  return sum(await Promise.all(numbers.map((no) => addField({ no }, 'value', no))));
}

export async function fanOutInSegment(branches: number): Promise<number> {
  return sum(await fanOutSegment(workflowInfo().workflowId, branches));
}

export async function fanOutInline(branches: number): Promise<number> {
  const numbers = Array.from({ length: branches }, (_each, at) => at + 1);
  return sum(await Promise.all(numbers.map(async (no) => ({ no, value: no }))));
}

function sum(results: readonly JsonObject[]): number {
  return results.reduce((total, result) => total + Number(result['value']), 0);
}

export async function largeByActivities(document: JsonObject, steps: number): Promise<JsonObject> {
  return summary(await chainOfActivities(document, steps));
}

export async function largeInSegment(document: JsonObject, steps: number): Promise<JsonObject> {
  return summary(await chainInSegment(document, steps));
}

export async function largeInline(document: JsonObject, steps: number): Promise<JsonObject> {
  return summary(await chainInline(document, steps));
}

function summary({ records, ...rest }: JsonObject): JsonObject {
  return { ...rest, count: Array.isArray(records) ? records.length : 0 };
}
