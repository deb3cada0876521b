import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Piscina } from 'piscina';
import type { UnitCall } from '../../core/engine/commands';
import { blobsOf, type BlobPart, type Handle, type RefValue, type StoredValue } from '../../core/engine/values';
import type { StepError } from '../../core/errors/app-error';
import { collectReferences } from '../../core/expr/template';
import { pureActions } from '../../core/transform/pure-actions';
import type { ComputeAnswer, ComputeBlob, ComputePart, ComputeRef, ComputeTask, LargeField } from './compute-types';
import { localRef, type LocalResults } from './render';
import { checkSize, type Values } from './values';

/** Size below which the thread's own cost is higher than the work. */
const THREAD_FROM_BYTES = 262_144;
/** Blobs that threads may still have: to guess wrong costs a question. */
const MOST_SENT = 64;

export type Computed = { kind: 'stored'; output: StoredValue } | { kind: 'failed'; error: StepError; events: [] };

/** Pure steps with large inputs run in threads. */
export class Compute {
  private pool: Piscina | undefined;
  /** Owner and address of blobs that went to a thread. */
  private readonly sent = new Set<string>();

  constructor(private readonly threads = 1) {}

  /** Undefined: the step is not pure or not large, carry it out as any other. */
  async tryRun(unit: UnitCall, local: LocalResults, values: Values): Promise<Computed | undefined> {
    if (!pureActions[unit.action]) return undefined;
    const refs = refsOf(unit, local);
    const bytes = Object.values(refs).reduce((sum, ref) => sum + largeBytes(ref), 0);
    if (bytes < THREAD_FROM_BYTES) return undefined;
    return keep(await this.answerOf({ unit, refs, values }), values);
  }

  private async answerOf(work: Work): Promise<Answered> {
    const key = (part: BlobPart): string => `${work.values.ownerId}/${part.sha256}`;
    const answer = await this.inThread(await taskOf(work, (part) => this.sent.has(key(part))));
    if (!('missing' in answer)) {
      if (this.sent.size > MOST_SENT) this.sent.clear();
      for (const part of Object.values(work.refs).flatMap(partsOfRef)) this.sent.add(key(part));
      return answer;
    }
    // Sends the bytes again: the thread has ended, has dropped the value, or was another one.
    return (await this.inThread(await taskOf(work, () => false))) as Answered;
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

interface Work {
  unit: UnitCall;
  refs: { [ref: string]: RefValue };
  values: Values;
}
type Answered = Exclude<ComputeAnswer, { missing: string[] }>;
/** Does the thread have it? */
type IsThere = (part: BlobPart) => boolean;

async function taskOf({ unit, refs, values }: Work, isThere: IsThere): Promise<ComputeTask> {
  return {
    owner: values.ownerId,
    action: unit.action,
    inputTemplate: unit.inputs,
    params: unit.params,
    inputOverride: unit.edits ?? {},
    refs: await loadRefs(refs, values, isThere),
    valueLimit: unit.valueLimit,
  };
}

function partsOfRef(ref: RefValue): BlobPart[] {
  return handlesOf(ref).flatMap(([, handle]) => blobsOf(handle));
}

async function loadRefs(refs: Work['refs'], values: Values, isThere: IsThere): Promise<ComputeTask['refs']> {
  const loaded: { [ref: string]: ComputeRef } = {};
  const load = async (part: BlobPart): Promise<ComputeBlob> =>
    isThere(part) ? { part } : { part, bytes: await values.bytes(part) };
  for (const [text, ref] of Object.entries(refs)) {
    if (ref.kind !== 'stored') {
      loaded[text] = ref;
      continue;
    }
    const fields = [];
    for (const [field, handle] of handlesOf(ref)) {
      fields.push({ field, parts: await partsOf(handle, load) });
    }
    loaded[text] = { kind: 'parts', base: ref.stored.value, fields, path: ref.path };
  }
  return loaded;
}

async function partsOf(handle: Handle, load: (part: BlobPart) => Promise<ComputeBlob>): Promise<ComputePart[]> {
  if ('text' in handle) {
    const text: (string | ComputeBlob)[] = [];
    for (const piece of handle.text) text.push(typeof piece === 'string' ? piece : await load(piece));
    return [{ text }];
  }
  const parts: ComputePart[] = [];
  for (const part of handle.parts) parts.push(await load(part));
  return parts;
}

async function keep(answer: Answered, values: Values): Promise<Computed> {
  if (!answer.ok) {
    const error: StepError = { code: answer.code, message: answer.message, category: 'validation', retryable: false };
    return { kind: 'failed', error, events: [] };
  }
  if (answer.large.length === 0) return { kind: 'stored', output: { value: answer.value } };
  const handles: { [field: string]: Handle } = {};
  for (const large of answer.large) handles[large.field] = await handleOf(large, values);
  return { kind: 'stored', output: { value: answer.value, handles } };
}

async function handleOf({ pieces, count }: LargeField, values: Values): Promise<Handle> {
  const text: (string | BlobPart)[] = [];
  for (const piece of pieces)
    text.push(...(piece instanceof Uint8Array ? (await values.putBytes(piece)).parts : [piece]));
  const size = text.reduce(
    (sum, piece) => sum + (typeof piece === 'string' ? Buffer.byteLength(piece) : piece.size),
    0,
  );
  checkSize(size);
  const [first] = text;
  const isWhole = text.length === 1 && first !== undefined && typeof first !== 'string';
  const handle = isWhole ? { parts: [first], size } : { text, size };
  return count === undefined ? handle : { ...handle, count };
}
