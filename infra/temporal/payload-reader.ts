import type { Payload } from '@temporalio/common';
import { AppError } from '../../core/errors/app-error';
import { isSealed, runOfPayload } from './payload-seal';
import type { PayloadOffload } from './payload-offload';
import type { PayloadSeal } from './payload-seal';

/**
 * Reads payloads for people: each one names the run that it was sealed for, and only runs that the caller may see are
 * opened. Whatever cannot be opened stays as it is.
 */
export class PayloadReader {
  constructor(
    private readonly seal: PayloadSeal,
    private readonly offload: PayloadOffload,
    /** True when this installation seals its payloads. */
    private readonly seals = true,
  ) {}

  /** Seals payloads for a workflow that the sender does not name. Sealed payloads stay as they are. */
  async write(payloads: readonly Payload[]): Promise<Payload[]> {
    if (!this.seals) return [...payloads];
    const sealed = payloads.map(async (payload) => (isSealed(payload) ? [payload] : this.seal.encode([payload])));
    return (await Promise.all(sealed)).flat();
  }

  async read(payloads: readonly Payload[], maySee: (runId: string) => Promise<boolean>): Promise<Payload[]> {
    const asked = new Map<string, Promise<boolean>>();
    const visible = (runId: string): Promise<boolean> => {
      const answer = asked.get(runId) ?? maySee(runId);
      asked.set(runId, answer);
      return answer;
    };
    return Promise.all(payloads.map((payload) => this.readOne(payload, visible)));
  }

  private async readOne(payload: Payload, maySee: (runId: string) => Promise<boolean>): Promise<Payload> {
    try {
      const [sealed] = await this.offload.decode([payload]);
      const runId = sealed === undefined ? undefined : runOfPayload(sealed);
      if (sealed === undefined || runId === undefined || !(await maySee(runId))) return payload;
      const [opened] = await this.seal.decode([sealed]);
      return opened ?? payload;
    } catch (error) {
      // A damaged payload, or one whose key is gone, must not hide the others.
      if (error instanceof AppError && error.category !== 'unavailable') return payload;
      throw error;
    }
  }
}
