import { rmSync, writeFileSync } from 'node:fs';

export const TOUCH_MS = 5_000;

/**
 * A file for health checks: touched while every worker takes work, gone when they have stopped. A process that hangs leaves it as
 * it was. Gives the function that ends it.
 */
export function touchAlive(file: string, takesWork: () => boolean, everyMs = TOUCH_MS): () => void {
  const touch = (): void => {
    try {
      if (takesWork()) writeFileSync(file, '');
    } catch {
      // A full disk: the health check finds the file old.
    }
  };
  touch();
  const timer = setInterval(touch, everyMs);
  timer.unref();
  return () => {
    clearInterval(timer);
    rmSync(file, { force: true });
  };
}
