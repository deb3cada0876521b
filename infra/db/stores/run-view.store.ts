import { owner, type Database, type Statement } from '../database';
import { notFound } from './not-found';
import { isUuid } from './page';
import { stepEventsOf, type StepEventRow } from './run-steps.store';
import { RUN_COLUMNS, RUN_SUMMARY_COLUMNS, type RunRow, type RunSummary } from './run-types';

/** A run with all that somebody who looks at it is shown. Its children and steps are its owner's alone. */
export interface RunView {
  run: RunRow;
  /** Null: of a playbook that he does not see. */
  versionNo: number | null;
  children: RunSummary[];
  steps: StepEventRow[];
}

const VERSION_NO = `select v.version_no from runs r join playbook_versions v on v.id = r.playbook_version_id where r.id = $1`;
const CHILDREN = `select ${RUN_SUMMARY_COLUMNS} from runs where parent_run_id = $1 and owner_id = $2 order by created_at, id`;

export class RunViewStore {
  constructor(private readonly database: Database) {}

  /** One's own, or a team's that the caller sees, as it stands at one moment: one round trip. Throws `run_not_found`. */
  async require(callerId: string, runId: string, steps: { limit: number }): Promise<RunView> {
    if (!isUuid(runId)) throw notFound('run', runId);
    const [[run], [version], children, events] = await this.database.read<
      [RunRow, { version_no: number }, RunSummary, StepEventRow]
    >(owner(callerId), runViewOf(callerId, runId, steps));
    if (run === undefined) throw notFound('run', runId);
    return { run, versionNo: version?.version_no ?? null, children, steps: events };
  }
}

/** Tests read their plans. */
export function runViewOf(
  callerId: string,
  runId: string,
  steps: { limit: number },
): [Statement, Statement, Statement, Statement] {
  return [
    { text: `select ${RUN_COLUMNS} from runs where id = $1`, params: [runId] },
    { text: VERSION_NO, params: [runId] },
    { text: CHILDREN, params: [runId, callerId] },
    stepEventsOf(callerId, runId, { after: 0, limit: steps.limit, of: 'top' }),
  ];
}
