import { fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { Agent } from 'undici';
import type { JsonObject } from '../../core/base/json';
import type { Scenario } from '../scenario';
import { mustEqual } from '../documents';
import type { Stack } from '../stack';
import { openCaller, type Caller } from './caller';

export const PAGING_SCENARIO = 'paging';
export const PAGES = 'pages of a connector';
export const BARE_PAGES = 'bare undici';

const CALLERS = 20;
const WALKS = 100;
/** Requests of one walk. */
const PAGES_EACH = 10;

interface Parts {
  caller: Caller;
  agent: Agent;
  url: string;
}

/** Walks over ten pages: with the runtime of connectors, its limits and records, and with a loop around undici. */
export function pagingScenario(stack: Stack, some: (count: number) => number): Scenario {
  const held: { parts?: Parts } = {};
  const parts = (): Parts => {
    if (held.parts === undefined) throw new Error('The source of pages was not started.');
    return held.parts;
  };
  const common = { callers: CALLERS, count: Math.max(CALLERS, some(WALKS)), parts: PAGES_EACH };
  return {
    name: PAGING_SCENARIO,
    prepare: async () => {
      const port = await startSource();
      const url = `http://127.0.0.1:${port}`;
      held.parts = {
        caller: await openCaller(stack, { url, port, pages: PAGES_EACH }),
        agent: new Agent({ connections: CALLERS }),
        url,
      };
    },
    implementations: [
      { ...common, name: PAGES, run: async (no) => mustBeWalk(no, await parts().caller.walk(no)) },
      { ...common, name: BARE_PAGES, run: async (no) => mustBeWalk(no, await bareWalk(parts(), no)) },
    ],
    close: async () => {
      await held.parts?.caller.close();
      await held.parts?.agent.close();
    },
  };
}

async function startSource(): Promise<number> {
  const child = fork(path.join(__dirname, 'source.main.js'), { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  const [message] = (await once(child, 'message')) as [{ port: number }];
  child.unref();
  return message.port;
}

interface Answer {
  results: { id: string; recipient: { name: string }; amount: number }[];
}

/** Walk written by hand for the same fields. */
async function bareWalk({ agent, url }: Parts, walk: number): Promise<JsonObject[]> {
  const records: JsonObject[] = [];
  for (let page = 1; page <= PAGES_EACH; page++) {
    const { statusCode, body } = await agent.request({
      origin: url,
      path: `/items?walk=${walk}&page=${page}`,
      method: 'GET',
      headers: { 'x-api-key': 'key-of-the-source' },
    });
    mustEqual(statusCode, 200, 'page');
    const { results } = (await body.json()) as Answer;
    for (const { id, recipient, amount } of results) records.push({ id, name: recipient.name, amount });
  }
  return records;
}

const FIRST_OF = (walk: number): JsonObject => ({ id: `${walk}-1-0`, name: 'Recipient 0', amount: 0 });
const LAST_OF = (walk: number): JsonObject => ({
  id: `${walk}-${PAGES_EACH}-19`,
  name: 'Recipient 19',
  amount: 1909.5,
});

function mustBeWalk(walk: number, records: readonly JsonObject[]): void {
  mustEqual([records.length, records[0], records.at(-1)], [PAGES_EACH * 20, FIRST_OF(walk), LAST_OF(walk)], 'walk');
}
