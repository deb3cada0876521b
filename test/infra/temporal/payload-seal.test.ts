import { randomBytes } from 'node:crypto';
import { readdirSync, rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { defaultPayloadConverter, type Payload, type WorkflowSerializationContext } from '@temporalio/common';
import { decode, encode } from '@temporalio/common/lib/internal-non-workflow';
import { DirectoryBlobs } from '../../../infra/blob/directory-blobs';
import { randomMasterKey } from '../../../infra/crypto/key-file';
import { KeyRing } from '../../../infra/crypto/key-ring';
import { payloadCodecs, payloadParts } from '../../../infra/temporal/connection';
import { payloadConverter as inWorkflow } from '../../../infra/temporal/local-arguments';
import { PayloadOffload } from '../../../infra/temporal/payload-offload';
import { PayloadReader } from '../../../infra/temporal/payload-reader';
import { PayloadSeal, runOfPayload } from '../../../infra/temporal/payload-seal';
import { newFolder } from '../../support/run-folder';

const THRESHOLD = 4_096;
const settings = { temporalNamespace: 'default', blobThresholdBytes: THRESHOLD };
const [k1, k2] = [randomMasterKey(), randomMasterKey()];
const run = (id: string): WorkflowSerializationContext => ({
  type: 'workflow',
  namespace: 'default',
  workflowId: `run-${id}`,
});

let folder: string;
let blobs: DirectoryBlobs;
const codecs = (ring: KeyRing | undefined = new KeyRing([k1]), more = {}) =>
  payloadCodecs({ ...settings, ...more }, payloadParts(settings, blobs, ring));
const payloadOf = (value: unknown): Payload => defaultPayloadConverter.toPayload<unknown>(value);
const valueOf = (payload: Payload | undefined): unknown => defaultPayloadConverter.fromPayload(payload as Payload);
const bytesOf = (payload: Payload | undefined): string =>
  JSON.stringify(payload?.metadata ?? {}) + Buffer.from(payload?.data ?? []).toString('latin1');
const stored = (): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.gz'));

beforeAll(() => {
  folder = newFolder('seal');
  blobs = new DirectoryBlobs(folder);
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('a sealed payload', () => {
  it.each([
    ['null', null],
    ['nothing', undefined],
    ['a text', 'canary'],
    ['a list', [1, { canary: 'canary' }]],
    ['bytes', new Uint8Array(randomBytes(10))],
    ['something large', { canary: 'canary '.repeat(2_000) }],
    ['something large that does not compress', randomBytes(20_000).toString('base64')],
    ['something that is compressed on the pool', Array.from({ length: 20_000 }, (_, index) => ({ canary: index }))],
  ])('gives %s back, and shows nothing of it', async (_what, value) => {
    const sealed = await encode(codecs(), [payloadOf(value)], run('a'));
    expect(bytesOf(sealed[0])).not.toContain('canary');
    expect(valueOf((await decode(codecs(), sealed, run('a')))[0])).toEqual(value);
  });

  it('is small when it compresses, and small ones are not compressed', async () => {
    const [small] = await encode(codecs(), [payloadOf('x'.repeat(1_500))], run('a'));
    const [large] = await encode(codecs(), [payloadOf('x'.repeat(3_000))], run('a'));
    expect([small?.metadata?.['zip'], small?.data?.length ?? 0]).toEqual([undefined, expect.any(Number)]);
    expect(small?.data?.length).toBeGreaterThan(1_500);
    expect(large?.data?.length).toBeLessThan(500);
  });

  it.each([
    ['workflow', run('b')],
    ['activity', { type: 'activity', namespace: 'default', workflowId: 'run-b', isLocal: false }],
  ] as const)('of one run does not open in another one (%s)', async (_what, context) => {
    const sealed = await encode(codecs(), [payloadOf('value')], run('a'));
    await expect(decode(codecs(), sealed, context)).rejects.toMatchObject({ code: 'payload_of_another_run' });
  });

  it.each([
    ['its run', { run: 'run-b' }],
    ['no run', { run: '' }],
    ['its compression', { zip: 'deflate' }],
    ['its key', { key: k2.id }],
  ])('does not open when the metadata say another thing about %s', async (_what, change) => {
    const [sealed] = await encode(codecs(), [payloadOf('value')], run('a'));
    const metadata = { ...sealed?.metadata };
    for (const [name, value] of Object.entries(change)) metadata[name] = Buffer.from(value);
    const ring = new KeyRing([k1, k2]);
    await expect(decode(codecs(ring), [{ ...sealed, metadata }])).rejects.toMatchObject({ code: 'envelope_damaged' });
  });

  it('opens in an activity of its run, and where the SDK gives no context', async () => {
    const sealed = await encode(codecs(), [payloadOf('value')], run('a'));
    const activity = { type: 'activity', namespace: 'default', workflowId: 'run-a', isLocal: true } as const;
    expect(valueOf((await decode(codecs(), sealed, activity))[0])).toBe('value');
    expect(valueOf((await decode(codecs(), sealed))[0])).toBe('value');
  });

  it('without a context is bound to no run, and opens', async () => {
    const sealed = await encode(codecs(), [payloadOf('value')]);
    expect(valueOf((await decode(codecs(), sealed, run('a')))[0])).toBe('value');
    expect(runOfPayload(sealed[0] as Payload)).toBeUndefined();
  });

  it('F32a: opens while its key is there, and names the key when it is not', async () => {
    const old = await encode(codecs(new KeyRing([k1])), [payloadOf('old')], run('a'));
    const rotated = codecs(new KeyRing([k2, k1]));
    const fresh = await encode(rotated, [payloadOf('new')], run('a'));
    expect((await decode(rotated, [...old, ...fresh], run('a'))).map(valueOf)).toEqual(['old', 'new']);
    await expect(decode(codecs(new KeyRing([k2])), old, run('a'))).rejects.toThrow(k1.id);
  });
});

describe('what is not sealed', () => {
  it('passes through, plain or offloaded, with and without a key', async () => {
    const plain = [payloadOf('small'), payloadOf('large '.repeat(2_000))];
    const old = await encode([new PayloadOffload(blobs, THRESHOLD)], plain);
    expect((await decode(codecs(), old, run('a'))).map(valueOf)).toEqual(plain.map(valueOf));
    expect((await decode(codecs(undefined), old, run('a'))).map(valueOf)).toEqual(plain.map(valueOf));
  });

  it('is what is written with AF_PAYLOAD_ENCRYPTION=off; sealed ones are read all the same', async () => {
    const off = codecs(new KeyRing([k1]), { payloadEncryption: false });
    expect(await encode(off, [payloadOf('value')], run('a'))).toEqual([payloadOf('value')]);
    const sealed = await encode(codecs(), [payloadOf('value')], run('a'));
    expect(valueOf((await decode(off, sealed, run('a')))[0])).toBe('value');
  });
});

describe('offloaded after sealing', () => {
  const large = { canary: randomBytes(9_000).toString('base64') };

  it('the blob store gets ciphertext, once for equal content of one run', async () => {
    const before = stored().length;
    const one = await encode(codecs(), [payloadOf(large)], run('a'));
    const two = await encode(codecs(), [payloadOf(large)], run('a'));
    expect(two).toEqual(one);
    expect(stored()).toHaveLength(before + 1);
    const { sha256 } = JSON.parse(Buffer.from(one[0]?.data ?? []).toString()) as { sha256: string };
    const blob = await blobs.get('00000000-0000-0000-0000-000000000000', sha256);
    expect(blob.toString('latin1')).not.toContain(large.canary.slice(0, 20));
    const other = await encode(codecs(), [payloadOf(large)], run('b'));
    expect(other).not.toEqual(one);
  });
});

describe('reading for people', () => {
  const reader = () =>
    new PayloadReader(new PayloadSeal(new KeyRing([k1]), THRESHOLD), new PayloadOffload(blobs, THRESHOLD));

  it('opens runs that the caller may see and gives everything else back as it was', async () => {
    const values = [payloadOf('mine'), payloadOf('large '.repeat(2_000))];
    const mine = await encode(codecs(), values, run('a'));
    const foreign = await encode(codecs(), values, run('b'));
    const unbound = await encode(codecs(), values);
    const underOther = await encode(codecs(new KeyRing([k2])), values, run('a'));
    const gone: Payload = {
      metadata: { encoding: Buffer.from('binary/af-blob') },
      data: Buffer.from(JSON.stringify({ sha256: '0'.repeat(64), size: 1 })),
    };
    const asked: string[] = [];
    const maySee = (runId: string): Promise<boolean> => {
      asked.push(runId);
      return Promise.resolve(runId === 'a');
    };
    const closed = [...foreign, ...unbound, ...underOther, gone, payloadOf('plain')];
    const read = await reader().read([...mine, ...closed], maySee);
    expect(read.slice(0, 2).map(valueOf)).toEqual(values.map(valueOf));
    expect(read.slice(2)).toEqual(closed);
    expect(asked.sort()).toEqual(['a', 'b']);
  });
});

describe('what a workflow gives to its local activities', () => {
  const activity = (isLocal: boolean) => ({ ...run('a'), type: 'activity', activityId: '1', isLocal }) as const;
  const value = { canary: 'canary '.repeat(2_000) };

  it('is neither sealed nor put outside: it stays in the process', async () => {
    const before = stored().length;
    const given = await encode(codecs(), [inWorkflow.toPayload(value, activity(true))], activity(true));
    expect(bytesOf(given[0])).toContain('canary');
    expect(stored()).toHaveLength(before);
    expect(valueOf((await decode(codecs(), given, activity(true)))[0])).toEqual(value);
  });

  it.each([
    ['the answer of one', payloadOf(value), activity(true)],
    ['a summary of one', inWorkflow.toPayload('canary', activity(true)), activity(true)],
    ['an argument of another activity', inWorkflow.toPayload(value, activity(false)), activity(false)],
    ['a marked payload in another place', inWorkflow.toPayload(value, activity(true)), activity(false)],
    ['a marked payload of the run itself', inWorkflow.toPayload(value, activity(true)), run('a')],
  ])('%s is sealed', async (_what, payload, context) => {
    expect(bytesOf((await encode(codecs(), [payload], context))[0])).not.toContain('canary');
  });
});
