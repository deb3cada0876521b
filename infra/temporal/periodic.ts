import type { Logger } from '../log/logger';

/** Calls `tick` again and again, each time after the one before ended; a failing tick is logged and tried again. */
export class Periodic {
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> = Promise.resolve();
  private stopped = true;

  constructor(
    private readonly name: string,
    private readonly everySeconds: number,
    private readonly tick: () => Promise<void>,
    private readonly log: Logger,
  ) {}

  start(): void {
    this.stopped = false;
    this.plan();
  }

  async stop(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    await this.running;
  }

  private plan(): void {
    if (this.stopped) return;
    this.timer = setTimeout(() => {
      this.running = this.once().finally(() => this.plan());
    }, this.everySeconds * 1000);
  }

  private async once(): Promise<void> {
    try {
      await this.tick();
    } catch (error) {
      this.log.warn({ err: error, loop: this.name }, 'a background loop failed and will try again');
    }
  }
}
