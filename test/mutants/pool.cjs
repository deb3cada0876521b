'use strict';
// Processes that try mutants. Their limit is time of the processor, so that a busy machine kills no mutant: one that runs
// on and on, and one that waits for what never comes, count as noticed.
const { fork } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');

const TICK_MS = 500;
/** A process that did nothing at all for so long waits for what never comes. */
const STILL_MS = 120_000;
/** Modules that tests load again and again stay somewhere: a process is replaced now and then. */
const MOST_TASKS = 500;

class Pool {
  #env;
  #size;
  #children = new Set();

  constructor({ size, code }) {
    this.#size = size;
    this.#env = { ...process.env, AF_MUTANT_CODE: code };
  }

  /** Makes each task, and calls `done` with it and its answer, or with undefined where it did not end. */
  async run(tasks, done) {
    const open = [...tasks];
    const one = async () => {
      let child;
      let count = 0;
      for (let make = open.shift(); make !== undefined; make = open.shift()) {
        const task = make();
        child ??= this.#start();
        const answer = await askOf(child, task);
        count += 1;
        if (answer === undefined || count % MOST_TASKS === 0) {
          this.#end(child);
          child = undefined;
        }
        done(task, answer);
      }
      this.#end(child);
    };
    await Promise.all(Array.from({ length: this.#size }, one));
  }

  /** One that runs on and on does not see that nobody waits for it any more. */
  close() {
    for (const child of this.#children) this.#end(child);
  }

  #start() {
    const child = fork(path.join(__dirname, 'circus.cjs'), [], {
      env: this.#env,
      execArgv: [],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      serialization: 'advanced',
    });
    this.#children.add(child);
    return child;
  }

  #end(child) {
    if (child === undefined) return;
    this.#children.delete(child);
    child.kill('SIGKILL');
  }
}

/** Undefined where the process spent what it may, or ended, or waits for nothing. */
function askOf(child, task) {
  return new Promise((resolve) => {
    const from = usedMs(child.pid);
    let last = { used: from, at: Date.now() };
    const timer = setInterval(() => {
      const used = usedMs(child.pid);
      if (used - last.used > 50) last = { used, at: Date.now() };
      if (used - from > task.limitMs || Date.now() - last.at > STILL_MS) end(undefined);
    }, TICK_MS);
    const onMessage = ({ answer }) => end({ answer });
    const onExit = () => end(undefined);
    const end = (value) => {
      clearInterval(timer);
      child.off('message', onMessage);
      child.off('exit', onExit);
      resolve(value);
    };
    child.on('message', onMessage);
    child.on('exit', onExit);
    child.send(task.ask);
  });
}

/** Time of the processor that a process has had; the clock's where there is no /proc. */
function usedMs(pid) {
  try {
    const stat = fs.readFileSync(`/proc/${pid}/stat`, 'utf8');
    const [user, system] = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .slice(11, 13);
    return (Number(user) + Number(system)) * 10;
  } catch {
    return Date.now();
  }
}

module.exports = { Pool };
