import { randomUUID } from 'node:crypto';
import type { JsonObject } from '../core/base/json';
import { BARE_QUEUE } from './bare/queue';
import {
  after,
  BRANCHES,
  HUGE_RECORDS,
  LARGE_RECORDS,
  largeDocument,
  mustEqual,
  smallDocument,
  STEPS,
} from './documents';
import { w1Name, type StepKind } from './product/playbooks';
import type { Stack } from './stack';

/** Carries out one whole run for a client and checks its result. It can return its own time in ms. */
export type Implementation = (no: number) => Promise<number | void>;

type BareChain = 'chainOfActivities' | 'chainInSegment' | 'chainInline';
type BareLarge = 'largeByActivities' | 'largeInSegment' | 'largeInline';
type BareFanOut = 'fanOutActivities' | 'fanOutInSegment' | 'fanOutInline';

/** A client of the product: starts a run and waits for its end, in one request. */
async function productRun(
  { product }: Stack,
  playbook: string,
  inputs: JsonObject,
): Promise<{ [step: string]: unknown }> {
  const { status, outputs } = await product.runToEnd(playbook, inputs);
  mustEqual(status, 'complete', playbook);
  return outputs;
}

function bareRun({ bare }: Stack, workflow: string, args: unknown[]): Promise<unknown> {
  return bare.workflow.execute(workflow, { taskQueue: BARE_QUEUE, workflowId: `bare-${randomUUID()}`, args });
}

export function productChain(stack: Stack, kind: StepKind, steps: number): Implementation {
  const playbook = w1Name(kind, steps);
  return async (no) => {
    const document = smallDocument(no);
    const outputs = await productRun(stack, playbook, { document });
    for (let step = 1; step <= steps; step++) {
      const found = outputs[`s${step}`] as { data?: JsonObject[]; document?: JsonObject } | undefined;
      mustEqual(kind === 'pure' ? found?.data?.[0] : found?.document, after(document, step), `${playbook} s${step}`);
    }
  };
}

export function bareChain(stack: Stack, workflow: BareChain, steps: number): Implementation {
  return async (no) => {
    const document = smallDocument(no);
    mustEqual(await bareRun(stack, workflow, [document, steps]), after(document, steps), workflow);
  };
}

const TOTAL = (BRANCHES * (BRANCHES + 1)) / 2;

export function productFanOut(stack: Stack, kind: StepKind): Implementation {
  return async () => {
    const { join } = (await productRun(stack, `w3-${kind}`, {})) as { join?: { data: JsonObject[] } };
    mustEqual(join?.data[0], { total: TOTAL }, `w3-${kind}`);
  };
}

export function bareFanOut(stack: Stack, workflow: BareFanOut): Implementation {
  return async () => mustEqual(await bareRun(stack, workflow, [BRANCHES]), TOTAL, workflow);
}

function largeSummary(document: JsonObject): JsonObject {
  const { records, ...rest } = after(document, STEPS);
  return { ...rest, count: (records as unknown[]).length };
}

export function productLarge(stack: Stack, kind: StepKind): Implementation {
  return async (no) => {
    const document = largeDocument(no, LARGE_RECORDS);
    const { check } = (await productRun(stack, `w4-${kind}`, { document })) as { check?: { data: JsonObject[] } };
    mustEqual(check?.data[0], largeSummary(document), `w4-${kind}`);
  };
}

/** The first step makes the document, because a request has at most 8 MB. */
export function productHuge(stack: Stack): Implementation {
  return async (no) => {
    const { check } = (await productRun(stack, 'w5-pure', { no, records: HUGE_RECORDS })) as {
      check?: { data: JsonObject[] };
    };
    mustEqual(check?.data[0], largeSummary(largeDocument(no, HUGE_RECORDS)), 'w5-pure');
  };
}

export function bareLarge(stack: Stack, workflow: BareLarge, records: number): Implementation {
  return async (no) => {
    const document = largeDocument(no, records);
    mustEqual(await bareRun(stack, workflow, [document, STEPS]), largeSummary(document), workflow);
  };
}
