import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Piscina } from 'piscina';
import type { UnitCall } from '../../core/engine/commands';
import type { Handle, RefValue, StoredValue } from '../../core/engine/values';
import type { StepError } from '../../core/errors/app-error';
import { collectReferences } from '../../core/expr/template';
import { pureActions } from '../../core/transform/pure-actions';
import type { ComputeAnswer, ComputePart, ComputeRef, ComputeTask } from './compute-types';
import { localRef, type LocalResults } from './render';
import type { Values } from './values';

/** Size below which the thread's own cost is higher than the work. */
const THREAD_FROM_BYTES = 262_144;

export type Computed = { kind: 'stored'; output: StoredValue } | { kind: 'failed'; error: StepError; events: [] };

/** Pure steps with large inputs run in threads. */
export class Compute {
  private pool: Piscina | undefined;

  constructor(private readonly threads = 1) {}

  /** Undefined: the step is not pure or not large, carry it out as any other. */
  async tryRun(unit: UnitCall, local: LocalResults, values: Values): Promise<Computed | undefined> {
    if (!pureActions[unit.action]) return undefined;
    const refs = refsOf(unit, local);
    const bytes = Object.values(refs).reduce((sum, ref) => sum + largeBytes(ref), 0);
    if (bytes < THREAD_FROM_BYTES) return undefined;
    const task: ComputeTask = {
      action: unit.action,
      inputTemplate: unit.inputs,
      params: unit.params,
      inputOverride: unit.edits ?? {},
      refs: await loadRefs(refs, values),
      valueLimit: unit.valueLimit,
    };
    return keep(await this.inThread(task), values);
  }

  async close(): Promise<void> {
    await this.pool?.close({ force: true });
  }

  /** Work that does not fit into a thread's memory does not fit the next time either. */
  private async inThread(task: ComputeTask): Promise<ComputeAnswer> {
    try {
      return (await this.threadPool().run(task)) as ComputeAnswer;
    } catch (error) {
      const tooLarge =
        error instanceof Error &&
        (error.name === 'RangeError' || ('code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'));
      if (!tooLarge) throw error;
      return {
        ok: false,
        code: 'payload_too_large',
        message: `The data of ${task.action} do not fit into memory. Filter or page them first.`,
      };
    }
  }

  private threadPool(): Piscina {
    this.pool ??= new Piscina({ filename: threadFile(), minThreads: 0, maxThreads: this.threads, idleTimeout: 30_000 });
    return this.pool;
  }
}

/** Threads load JavaScript: run from sources, they come from the build beside them. */
function threadFile(): string {
  const built = join(__dirname, 'compute-thread.js');
  return existsSync(built) ? built : resolve(__dirname, '../../dist/activities/runner/compute-thread.js');
}

function refsOf(unit: UnitCall, local: LocalResults): { [ref: string]: RefValue } {
  const refs: { [ref: string]: RefValue } = { ...unit.refs };
  for (const ref of collectReferences([unit.inputs, unit.params])) {
    const known = Object.hasOwn(refs, ref.text) ? undefined : localRef(local, ref);
    if (known) refs[ref.text] = known;
  }
  return refs;
}

/** Handles that a reference needs: all, or the one of the field that its path begins with. */
function handlesOf(ref: RefValue): [string, Handle][] {
  if (ref.kind !== 'stored') return [];
  const handles = Object.entries(ref.stored.handles ?? {});
  const first = ref.path[0];
  return first?.kind === 'field' ? handles.filter(([field]) => field === '' || field === first.name) : handles;
}

function largeBytes(ref: RefValue): number {
  return handlesOf(ref).reduce((sum, [, handle]) => sum + handle.size, 0);
}

async function loadRefs(refs: { [ref: string]: RefValue }, values: Values): Promise<{ [ref: string]: ComputeRef }> {
  const loaded: { [ref: string]: ComputeRef } = {};
  for (const [text, ref] of Object.entries(refs)) {
    if (ref.kind !== 'stored') {
      loaded[text] = ref;
      continue;
    }
    const fields = [];
    for (const [field, handle] of handlesOf(ref)) {
      fields.push({ field, parts: await partsOf(handle, values) });
    }
    loaded[text] = { kind: 'parts', base: ref.stored.value, fields, path: ref.path };
  }
  return loaded;
}

async function partsOf(handle: Handle, values: Values): Promise<ComputePart[]> {
  if ('text' in handle) return [{ kind: 'whole', bytes: await values.textBytes(handle) }];
  const parts: ComputePart[] = [];
  for (const part of handle.parts) parts.push({ kind: part.kind, bytes: await values.bytes(part) });
  return parts;
}

async function keep(answer: ComputeAnswer, values: Values): Promise<Computed> {
  if (!answer.ok) {
    const error: StepError = { code: answer.code, message: answer.message, category: 'validation', retryable: false };
    return { kind: 'failed', error, events: [] };
  }
  if (answer.large.length === 0) return { kind: 'stored', output: { value: answer.value } };
  const handles: { [field: string]: Handle } = {};
  for (const { field, bytes, count } of answer.large) handles[field] = await values.putBytes(bytes, count);
  return { kind: 'stored', output: { value: answer.value, handles } };
}
