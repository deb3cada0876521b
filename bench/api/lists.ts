import type { JsonObject } from '../../core/base/json';
import type { Implementation } from '../implementations';
import { mustEqual } from '../documents';
import type { ProductClient } from '../product/client';
import { readExpected, walk, type ExpectedPage, type List } from './pages';
import { OWN_RUNS, TEAM_RUNS, type Rows } from './rows';

/** Least number of prepared rows in a list of runs; the others are newer runs of the benchmark itself. */
const SEEN = OWN_RUNS + TEAM_RUNS;
const WALKED = 20;
const DETAILS = 200;

/** Ids and cursors that the implementations ask for; filled once the rows exist. */
export interface Questions {
  pages: Map<string, ExpectedPage[]>;
  lists: Map<string, List>;
  runs: string[];
  waitingRuns: string[];
  approvals: string[];
  waitingApprovals: string[];
}

export function noQuestions(): Questions {
  return { pages: new Map(), lists: new Map(), runs: [], waitingRuns: [], approvals: [], waitingApprovals: [] };
}

export const LISTS = [
  'GET /runs',
  'GET /runs, oldest first',
  'GET /runs?status',
  'GET /runs?playbook, slug',
  'GET /runs?playbook, id',
  'GET /runs?profile',
  'GET /runs?team',
  'GET /approvals',
  'GET /approvals?status',
  'GET /approvals?run',
] as const;
type ListName = (typeof LISTS)[number];

function listsOf(rows: Rows, slug: string, runId: string): Record<ListName, List> {
  const runs = { by: 'created_at' } as const;
  const approvals = { by: 'requested_at' } as const;
  const ofPlaybook = (run: JsonObject): boolean => (run['playbook'] as JsonObject)['id'] === rows.playbookId;
  return {
    'GET /runs': { ...runs, path: '/runs' },
    'GET /runs, oldest first': { ...runs, path: '/runs?sort=created_at', upwards: true },
    'GET /runs?status': { ...runs, path: '/runs?status=failed', fits: (run) => run['status'] === 'failed' },
    'GET /runs?playbook, slug': { ...runs, path: `/runs?playbook=${slug}`, fits: ofPlaybook },
    'GET /runs?playbook, id': { ...runs, path: `/runs?playbook=${rows.playbookId}`, fits: ofPlaybook },
    'GET /runs?profile': {
      ...runs,
      path: `/runs?profile=${rows.profileId}`,
      fits: (run) => run['profile_id'] === rows.profileId,
    },
    'GET /runs?team': { ...runs, path: `/runs?team=${rows.teamId}`, fits: (run) => run['team_id'] === rows.teamId },
    'GET /approvals': { ...approvals, path: '/approvals' },
    'GET /approvals?status': {
      ...approvals,
      path: '/approvals?status=waiting',
      fits: (approval) => approval['status'] === 'waiting',
    },
    'GET /approvals?run': {
      ...approvals,
      path: `/approvals?run=${runId}`,
      fits: (approval) => approval['runId'] === runId,
    },
  };
}

/** Walks every list once. The list of all runs is read to its end: each run must be in it exactly once. */
export async function ask(
  product: ProductClient,
  questions: Questions,
  at: { rows: Rows; slug: string; waitingRuns: string[] },
): Promise<void> {
  const all: JsonObject[] = [];
  const approvals: JsonObject[] = [];
  const waiting: JsonObject[] = [];
  const kept: Partial<Record<ListName, JsonObject[]>> = {
    'GET /runs': all,
    'GET /approvals': approvals,
    'GET /approvals?status': waiting,
  };
  for (const [name, list] of Object.entries(listsOf(at.rows, at.slug, at.waitingRuns[0] ?? ''))) {
    const pages = await walk(product, list, name === 'GET /runs' ? Infinity : WALKED, kept[name as ListName]);
    questions.lists.set(name, list);
    questions.pages.set(name, some(pages));
  }
  const distinct = new Set(all.map((run) => run['runId'])).size;
  mustEqual(distinct, all.length, 'GET /runs, each run once');
  mustEqual(all.length >= SEEN, true, `GET /runs, ${all.length} of at least ${SEEN} runs`);
  const over = (item: JsonObject): boolean => item['status'] !== 'waiting';
  questions.runs = idsOf(all.slice(-OWN_RUNS), 'runId');
  questions.waitingRuns = at.waitingRuns;
  questions.approvals = idsOf(approvals.filter(over), 'approvalId');
  questions.waitingApprovals = idsOf(waiting, 'approvalId');
}

/** The first page, the middle one and the last that was read. */
function some(pages: ExpectedPage[]): ExpectedPage[] {
  const at = [...new Set([0, Math.floor(pages.length / 2), pages.length - 1])];
  return at.flatMap((no) => pages[no] ?? []);
}

function idsOf(items: JsonObject[], field: string): string[] {
  const every = Math.max(1, Math.floor(items.length / DETAILS));
  return items.filter((_each, at) => at % every === 0).map((item) => item[field] as string);
}

/** First and later pages in turn. */
export function readList(product: ProductClient, questions: Questions, name: ListName): Implementation {
  return async (no) => {
    const pages = questions.pages.get(name) ?? [];
    const page = pages[no % pages.length];
    const list = questions.lists.get(name);
    if (page === undefined || list === undefined) throw new Error(`${name}: there is nothing to ask for`);
    await readExpected(product, list, page);
  };
}

type Details = 'runs' | 'waitingRuns' | 'approvals' | 'waitingApprovals';

export function readDetails(product: ProductClient, questions: Questions, of: Details): Implementation {
  const [path, field] = of === 'runs' || of === 'waitingRuns' ? ['/runs', 'runId'] : ['/approvals', 'approvalId'];
  return async (no) => {
    const ids = questions[of];
    const id = ids[no % ids.length] ?? '';
    const { status, body } = await product.request('GET', `${path}/${id}`);
    mustEqual([status, body[field ?? '']], [200, id], `GET ${path}/${id}`);
    if (of === 'waitingRuns') mustEqual(body['status'], 'waiting_approval', `GET ${path}/${id}`);
    if (of === 'waitingApprovals') mustEqual(body['may_decide'], true, `GET ${path}/${id}`);
  };
}
