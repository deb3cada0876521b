import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { TestWorkflowEnvironment } from '@temporalio/testing';
import { describeWhere, hasProgram } from './machine';
import { quietRuntime } from './quiet-runtime';
import { runFolder } from './run-folder';
import { programFolder } from './temporal';

/**
 * Temporal's test server, where thirty days take half a second. It is the SDK's download, or the same server as
 * Java code from Maven Central. It has no schedules and no lists; search attributes must be registered first.
 */
const VERSION = '1.31.0';
const STARTS = 8;
const MAIN_CLASS = 'io.temporal.testserver.TestServer';

/** A suite under time skipping: skipped by name where the server cannot be had, unless AF_REQUIRE names `java`. */
export function describeTimeSkipping(name: string, suite: () => void): void {
  describeWhere('java', timeSkippingProgram() !== undefined, name, suite);
}

/** A new server with its clients; must be ended with `teardown`. */
export async function startTimeSkipping(): Promise<TestWorkflowEnvironment> {
  const program = timeSkippingProgram();
  quietRuntime();
  if (program === undefined) throw new Error('the time-skipping server is not to be had on this machine');
  for (let tried = 1; ; tried += 1) {
    try {
      return await TestWorkflowEnvironment.createTimeSkipping({
        server: { executable: { type: 'existing-path', path: program } },
      });
    } catch (error) {
      // The SDK gives a server five seconds to answer; a Java program on a busy machine may need more at its first start.
      if (tried === STARTS || !String(error).includes('did not start')) throw error;
    }
  }
}

/**
 * Path of the server's program; fetched at first use and kept with the other programs. Synchronous, because a suite
 * must know at its declaration whether it runs. A failure is remembered for this run.
 */
function timeSkippingProgram(): string | undefined {
  const folder = path.join(programFolder(), `test-server-${VERSION}`);
  const program = path.join(folder, 'server');
  const failed = path.join(runFolder(), 'no-time-skipping');
  if (existsSync(program)) return program;
  if (existsSync(failed)) return undefined;
  const partial = `${folder}.partial-${process.pid}`;
  try {
    mkdirSync(partial, { recursive: true });
    if (!download(partial) && !fetchJava(partial)) {
      writeFileSync(failed, '');
      return undefined;
    }
    moveInto(partial, folder, program);
    return program;
  } finally {
    rmSync(partial, { recursive: true, force: true });
  }
}

/** Another test file may have fetched it first. */
function moveInto(partial: string, folder: string, program: string): void {
  try {
    renameSync(partial, folder);
  } catch (error) {
    if (!existsSync(program)) throw error;
  }
}

const DOWNLOAD = `
const { TestWorkflowEnvironment } = require('@temporalio/testing');
const executable = { type: 'cached-download', downloadDir: process.argv[1], ttl: '3650 days' };
TestWorkflowEnvironment.createTimeSkipping({ server: { executable } }).then((server) => server.teardown()).then(
  () => process.exit(0),
  () => process.exit(1),
);`;

function download(partial: string): boolean {
  const result = spawnSync(process.execPath, ['-e', DOWNLOAD, partial], {
    cwd: __dirname,
    stdio: 'ignore',
    timeout: 120_000,
  });
  const found = readdirSync(partial).find((name) => name.startsWith('temporal'));
  if (result.status !== 0 || found === undefined) return false;
  renameSync(path.join(partial, found), path.join(partial, 'server'));
  return true;
}

function fetchJava(partial: string): boolean {
  if (!hasProgram('java') || !hasProgram('mvn')) return false;
  writeFileSync(path.join(partial, 'pom.xml'), POM);
  const goal = [
    'dependency:copy-dependencies',
    '-DincludeScope=runtime',
    `-DoutputDirectory=${path.join(partial, 'lib')}`,
  ];
  const result = spawnSync('mvn', ['-q', '-B', '-f', path.join(partial, 'pom.xml'), ...goal], {
    stdio: 'ignore',
    timeout: 300_000,
  });
  if (result.status !== 0 || !existsSync(path.join(partial, 'lib'))) return false;
  // A folder of its own, so that the program can be copied.
  const java = `exec java -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -cp "$(dirname "$0")/lib/*" ${MAIN_CLASS} "$@"`;
  writeFileSync(path.join(partial, 'server'), `#!/bin/sh\n${java}\n`, { mode: 0o755 });
  return true;
}

const POM = `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>local</groupId>
  <artifactId>test-server</artifactId>
  <version>1</version>
  <dependencies>
    <dependency>
      <groupId>io.temporal</groupId>
      <artifactId>temporal-test-server</artifactId>
      <version>${VERSION}</version>
    </dependency>
  </dependencies>
</project>
`;
