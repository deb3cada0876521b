import { condition, defineSignal, defineUpdate, proxyActivities, setHandler } from '@temporalio/workflow';
import type { JsonObject } from '../../core/base/json';
import type * as activities from './activities';

/** What somebody would write by hand on Temporal for the same steps: no playbook, no log, no store. */
const { addField } = proxyActivities<typeof activities>({ startToCloseTimeout: '5 minutes' });

const STEPS = 10;

function add(document: JsonObject, no: number): JsonObject {
  return { ...document, [`f${no}`]: no };
}

export async function chainOfActivities(document: JsonObject): Promise<JsonObject> {
  let current = document;
  for (let no = 1; no <= STEPS; no++) current = await addField(current, `f${no}`, no);
  return current;
}

export async function chainInline(document: JsonObject): Promise<JsonObject> {
  let current = document;
  for (let no = 1; no <= STEPS; no++) current = add(current, no);
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
  const results = await Promise.all(numbers.map((no) => addField({ no }, 'value', no)));
  return results.reduce((sum, result) => sum + Number(result['value']), 0);
}

export async function fanOutInline(branches: number): Promise<number> {
  const numbers = Array.from({ length: branches }, (_each, at) => at + 1);
  const results = await Promise.all(numbers.map(async (no) => ({ no, value: no })));
  return results.reduce((sum, result) => sum + result.value, 0);
}

export async function largeByActivities(document: JsonObject): Promise<JsonObject> {
  return summary(await chainOfActivities(document));
}

export async function largeInline(document: JsonObject): Promise<JsonObject> {
  return summary(await chainInline(document));
}

function summary({ records, ...rest }: JsonObject): JsonObject {
  return { ...rest, count: Array.isArray(records) ? records.length : 0 };
}
