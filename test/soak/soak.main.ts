import 'reflect-metadata';
import { removeRunFolder } from '../support/run-folder';
import { soak, type SoakResult } from './soak';

/** Started by scripts/soak.cjs with the minutes; AF_FAULT_SEED draws the faults. */
async function main(): Promise<void> {
  const minutes = Number(process.argv[2]);
  try {
    report(await soak({ minutes, faultEverySeconds: 60, startEveryMs: 1_000, say: (line) => console.log(line) }));
  } finally {
    removeRunFolder();
  }
}

function report({ runs, requests, faults, problems, slowest, memory, growth }: SoakResult): void {
  for (const { minute, mb } of memory) console.log(`memory ${minute.toFixed(1)} min ${mb.toFixed(0)} MB`);
  console.log(`runs ${runs}, requests ${requests}, faults ${JSON.stringify(faults)}`);
  console.log(`growth after ten minutes: ${growth === undefined ? 'not measured' : `${growth.toFixed(1)} MB an hour`}`);
  if (slowest !== undefined) console.log(`slowest run ${slowest.seconds.toFixed(0)} s (${slowest.id})`);
  for (const problem of problems) console.log(`PROBLEM ${problem}`);
  console.log(problems.length === 0 ? 'The ledger is in order.' : `${problems.length} problems.`);
  if (problems.length > 0) process.exitCode = 1;
}

void main().then(
  () => process.exit(),
  (error: unknown) => {
    console.error(error);
    process.exit(1);
  },
);
