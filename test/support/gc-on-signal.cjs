'use strict';
// With --expose-gc: collects at SIGUSR2 and says so, so that a test can measure what is really held.
process.on('SIGUSR2', () => {
  globalThis.gc();
  setImmediate(() => {
    globalThis.gc();
    process.stdout.write('collected\n');
  });
});
