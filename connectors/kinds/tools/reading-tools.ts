import type { Json, JsonObject } from '../../../core/base/json';
import { AppError } from '../../../core/errors/app-error';
import { pureActions, type PureAction } from '../../../core/transform/pure-actions';
import type { JournalStore } from '../../../infra/db/stores/journal.store';
import { queryJournal } from '../../../infra/journal/query-journal';

/** An action that changes nothing, carried out without a run. Throws what the step would fail with. */
export type ReadingTool = (call: { inputs: JsonObject; params: JsonObject }, ownerId: string) => Promise<Json>;
export type ReadingTools = Readonly<Record<string, ReadingTool>>;

/** All actions of the product with effect `none` that need no run and no model. Days are meant in `timeZone`. */
export function readingTools(deps: { journal: Pick<JournalStore, 'query'>; timeZone: string }): ReadingTools {
  const pure = Object.entries(pureActions).map(([name, action]) => [name, reading(action)] as const);
  return {
    ...Object.fromEntries(pure),
    query_journal: (call, ownerId) => queryJournal(deps.journal, call, { ownerId, timeZone: deps.timeZone }),
  };
}

function reading(action: PureAction | undefined): ReadingTool {
  return ({ inputs, params }) => {
    const result = action?.(inputs, params);
    if (result?.ok === true) return Promise.resolve(result.output);
    const { code, message } = result ?? { code: 'not_available', message: 'There is no such action.' };
    return Promise.reject(new AppError(code, message, { category: 'validation' }));
  };
}
