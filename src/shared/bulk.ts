import { AppError } from '../../core/errors/app-error';
import { mapLimited } from '../../infra/map-limited';
import { problemBody } from '../http/problem-body';

/** Outcome of one item of a request for several. */
export type BulkOutcome<Answer> = { status: number; answer: Answer } | { status: number; code: string; detail: string };

/** Items at work at once: a few round trips in parallel, never a pool of connections for one caller. */
const AT_ONCE = 5;

/**
 * Carries out `work` for every item; one that is refused says why and stops no other. Answers come in the order of the
 * items. A refusal of one item has the very code that the single route gives.
 */
export function bulk<Item, Answer>(
  items: readonly Item[],
  work: (item: Item) => Promise<BulkOutcome<Answer>>,
): Promise<BulkOutcome<Answer>[]> {
  return mapLimited(items, AT_ONCE, (item) => outcomeOf(work(item)));
}

async function outcomeOf<Answer>(work: Promise<BulkOutcome<Answer>>): Promise<BulkOutcome<Answer>> {
  try {
    return await work;
  } catch (error) {
    // A defect of ours is no outcome of one item.
    if (!(error instanceof AppError)) throw error;
    const { status, code, detail } = problemBody(error, '');
    return { status, code, detail };
  }
}
