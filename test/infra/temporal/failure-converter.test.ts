import { rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  ApplicationFailure,
  CancelledFailure,
  type LoadedDataConverter,
  type ProtoFailure,
  type WorkflowSerializationContext,
} from '@temporalio/common';
import {
  decodeOptionalFailureToOptionalError,
  encodeErrorToFailure,
  loadDataConverter,
} from '@temporalio/common/lib/internal-non-workflow';
import { temporal } from '@temporalio/proto';
import { DirectoryBlobs } from '../../../infra/blob/directory-blobs';
import { randomMasterKey } from '../../../infra/crypto/key-file';
import { KeyRing } from '../../../infra/crypto/key-ring';
import { dataConverter, payloadParts } from '../../../infra/temporal/connection';
import { newFolder } from '../../support/run-folder';

const WORDS = 'Wilhelmina Quast, born 1974';
const THRESHOLD = 4_096;
const settings = { temporalNamespace: 'default', blobThresholdBytes: THRESHOLD };
const [own, other] = [randomMasterKey(), randomMasterKey()];
const run = (id: string): WorkflowSerializationContext => ({
  type: 'workflow',
  namespace: 'default',
  workflowId: `run-${id}`,
});

let folder: string;
beforeAll(() => {
  folder = newFolder('failures');
});
afterAll(() => rmSync(folder, { recursive: true }));

function converter(key = own): LoadedDataConverter {
  const parts = payloadParts(settings, new DirectoryBlobs(folder), new KeyRing([key]));
  return loadDataConverter(dataConverter(settings, parts));
}
const seal = (error: unknown, id = 'a'): Promise<ProtoFailure> => encodeErrorToFailure(converter(), error, run(id));
const open = (failure: ProtoFailure, id = 'a', key = own): Promise<Error | undefined> =>
  decodeOptionalFailureToOptionalError(converter(key), failure, run(id));
const bytesOf = (failure: ProtoFailure): string =>
  Buffer.from(temporal.api.failure.v1.Failure.encode(failure).finish()).toString('latin1');

function refused(): ApplicationFailure {
  const cause = ApplicationFailure.create({ type: 'inner', message: `because of ${WORDS}` });
  const details = [{ said: WORDS }];
  return ApplicationFailure.create({ type: 'upstream_rejected', message: WORDS, details, nonRetryable: true, cause });
}

describe('a failure in a history', () => {
  it.each([
    ['with a cause and details', refused()],
    ['of a cancelled run', new CancelledFailure(WORDS, [{ said: WORDS }])],
    ['that is a mere error', new Error(WORDS)],
    ['that is no error', WORDS],
    ['larger than a payload may be', new Error(WORDS.repeat(1_000))],
  ])('%s shows nothing of its words', async (_what, error) => {
    const failure = await seal(error);
    expect(bytesOf(failure)).not.toContain('Quast');
    expect(bytesOf(failure)).not.toContain(__filename);
    expect((await open(failure))?.message).toContain(WORDS);
  });

  it('keeps its type and whether it may be repeated in plain: retry policies look at them', async () => {
    const failure = await seal(refused());
    expect(failure.applicationFailureInfo).toMatchObject({ type: 'upstream_rejected', nonRetryable: true });
    expect(failure.cause?.applicationFailureInfo).toMatchObject({ type: 'inner' });
  });

  it('is the same error to whoever has the key: words, place, details, cause', async () => {
    const before = refused();
    const after = await open(await seal(before));
    expect(after).toMatchObject({ message: WORDS, type: 'upstream_rejected', details: [{ said: WORDS }] });
    expect(after?.cause).toMatchObject({ message: `because of ${WORDS}`, type: 'inner' });
    expect(after?.stack).toContain('refused');
  });

  it('keeps its words when it is passed on, also a second time', async () => {
    const read = await open(await seal(refused()));
    for (const again of [await seal(read), await seal(read)]) {
      expect(bytesOf(again)).not.toContain('Quast');
      expect(await open(again)).toMatchObject({ message: WORDS, cause: { message: `because of ${WORDS}` } });
    }
  });

  it('does not open for another run, nor with another key', async () => {
    const failure = await seal(refused());
    await expect(open(failure, 'b')).rejects.toMatchObject({ code: 'payload_of_another_run' });
    await expect(open(failure, 'a', other)).rejects.toThrow(own.id);
  });

  it('from before is read as it is', async () => {
    const plain: ProtoFailure = { message: WORDS, stackTrace: 'at home', applicationFailureInfo: { type: 'old' } };
    expect(await open(plain)).toMatchObject({ message: WORDS, stack: 'at home', type: 'old' });
    expect(bytesOf(await seal(await open(plain)))).not.toContain('Quast');
  });
});
