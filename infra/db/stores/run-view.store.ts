import type { JsonObject } from '../../../core/base/json';
import { owner, type Database, type Statement } from '../database';
import { notFound } from './not-found';
import { isUuid } from '../../../core/base/uuid';
import { BEFORE_STEPS, stepEventsOf, type StepEventRow } from './run-steps.store';
import { RUN_COLUMNS, RUN_COLUMNS_BUT_INPUTS, RUN_SUMMARY_COLUMNS, type RunRow, type RunSummary } from './run-types';

/** A run with everything that its viewers are shown. Only its owner sees children and steps. */
export interface RunView {
  run: RunRow;
  /** Null: of a playbook that they do not see. */
  versionNo: number | null;
  connectors: PinnedConnector[];
  children: RunSummary[];
  steps: StepEventRow[];
}

export interface PinnedConnector {
  connector: string;
  version_id: string;
  /** Null: of a connector that the caller does not see. */
  version_no: number | null;
}

const RUN = `select ${RUN_COLUMNS} from runs where id = $1`;
const RUN_BUT_INPUTS = `select ${RUN_COLUMNS_BUT_INPUTS} from runs where id = $1`;
const CONNECTORS = `select pin.key as connector, pin.value as version_id, v.version_no
  from runs r cross join json_each_text(r.connectors) pin left join connector_versions v on v.id = pin.value::uuid
  where r.id = $1 order by pin.key`;
const VERSION_NO = `select v.version_no from runs r join playbook_versions v on v.id = r.playbook_version_id where r.id = $1`;
const CHILDREN = `select ${RUN_SUMMARY_COLUMNS} from runs where parent_run_id = $1 and owner_id = $2 order by created_at, id`;

export class RunViewStore {
  constructor(private readonly database: Database) {}

  /**
   * One's own, or a team's that the caller sees, as it stands at one moment: one round trip. `inputs`: of the run, where the
   * caller has just given them. Throws `run_not_found`.
   */
  async require(
    callerId: string,
    runId: string,
    { inputs, ...steps }: { limit: number; inputs?: JsonObject | undefined },
  ): Promise<RunView> {
    if (!isUuid(runId)) throw notFound('run', runId);
    const [[run], [version], children, events, connectors] = await this.database.read<
      [RunRow, { version_no: number }, RunSummary, StepEventRow, PinnedConnector]
    >(owner(callerId), runViewOf(callerId, runId, { ...steps, withInputs: inputs === undefined }));
    if (run === undefined) throw notFound('run', runId);
    return {
      run: inputs === undefined ? run : { ...run, inputs },
      versionNo: version?.version_no ?? null,
      connectors,
      children,
      steps: events,
    };
  }
}

/** Tests read their plans. */
export function runViewOf(
  callerId: string,
  runId: string,
  { limit, withInputs }: { limit: number; withInputs: boolean },
): [Statement, Statement, Statement, Statement, Statement] {
  return [
    { text: withInputs ? RUN : RUN_BUT_INPUTS, params: [runId] },
    { text: VERSION_NO, params: [runId] },
    { text: CHILDREN, params: [runId, callerId] },
    stepEventsOf(callerId, runId, { after: BEFORE_STEPS, limit, of: 'top' }),
    { text: CONNECTORS, params: [runId] },
  ];
}
