import { expect } from '@jest/globals';
import type { Json, JsonObject } from '../../../core/base/json';

export interface Fault {
  code: string;
  /** The reader may count one line more or less than the parser of the description. */
  line?: number;
}

/** The call ends with this error of ours, at this line. */
export async function expectFault(call: Promise<unknown>, { code, line }: Fault): Promise<JsonObject> {
  const found = await faultOf(call);
  expect(found).toMatchObject({ code });
  if (line !== undefined) {
    const place = Number(found['line']);
    expect([line - 1, line, line + 1]).toContain(place);
  }
  return found;
}

/** Code and place, wherever the kind of connector keeps them. */
async function faultOf(call: Promise<unknown>): Promise<JsonObject> {
  const error = await call.then(
    () => ({ code: 'no error at all', details: {}, problems: [] }),
    (thrown: unknown) => thrown as { code: string; details?: JsonObject; problems?: Json },
  );
  const details: JsonObject = error.details ?? {};
  const [first] = (details['errors'] ?? []) as JsonObject[];
  return { problems: error.problems ?? [], ...details, ...first, code: error.code };
}
