'use strict';
// Collects garbage at SIGUSR2 (needs --expose-gc) and reports it, so that a test measures only memory in use.
process.on('SIGUSR2', () => {
  globalThis.gc();
  setImmediate(() => {
    globalThis.gc();
    process.stdout.write('collected\n');
  });
});
