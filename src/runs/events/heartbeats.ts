const EVERY_MS = 15_000;
const SLOTS = 15;

/** Beats for many streams over one timer, spread so that they do not all come in the same moment. */
export class Heartbeats {
  private readonly slots = Array.from({ length: SLOTS }, () => new Set<() => void>());
  private timer: NodeJS.Timeout | undefined;
  private slot = 0;
  private beats = 0;

  /** Calls `beat` every 15 s until the returned function is called. */
  add(beat: () => void): () => void {
    // The slot that was served last comes again after a whole round.
    const set = this.slots[this.slot] ?? new Set();
    set.add(beat);
    this.beats += 1;
    this.timer ??= setInterval(() => this.tick(), EVERY_MS / SLOTS);
    return () => {
      if (set.delete(beat) && --this.beats === 0) {
        clearInterval(this.timer);
        this.timer = undefined;
      }
    };
  }

  private tick(): void {
    this.slot = (this.slot + 1) % SLOTS;
    this.slots[this.slot]?.forEach((beat) => beat());
  }
}
