'use strict';
// With --expose-gc: collects garbage at SIGUSR2 and says so, so that a test measures only what is held.
process.on('SIGUSR2', () => {
  globalThis.gc();
  setImmediate(() => {
    globalThis.gc();
    process.stdout.write('collected\n');
  });
});
