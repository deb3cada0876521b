import type { Json } from '../../../core/base/json';

/**
 * A source (or a limit of ours) asks for a wait that is too long to hold an activity for. The activity ends with it, the
 * workflow holds the timer, and the call goes on at `resume`.
 */
export class SourceWait extends Error {
  /** State with which the call continues: the pages read so far. Set by the code that knows it. */
  resume?: Json;
  /** Milliseconds that the call slept for shorter waits: they are no part of the step's time. */
  sleptMs = 0;
  /** True if an earlier request may have taken effect; false if all were refused. */
  acted = false;

  constructor(
    /** Epoch milliseconds. */
    readonly until: number,
    /** `rate_limited`, `quota_used_up`, `source_busy`. */
    readonly reason: string,
    /** Origin that is waited for. */
    readonly source: string,
  ) {
    super(`${source} asks to wait until ${new Date(until).toISOString()}.`);
    this.name = 'SourceWait';
  }

  /** The same wait for one call: several may have met it together (one request for a token), each goes on at its own place. */
  at(resume: Json, sleptMs: number = this.sleptMs): SourceWait {
    const own = new SourceWait(this.until, this.reason, this.source);
    own.resume = resume;
    own.sleptMs = sleptMs;
    own.acted = this.acted;
    return own;
  }
}
