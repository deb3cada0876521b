import { canonicalJson } from '../../core/base/canonical-json';
import { connectorEntry } from '../../core/connector/entry';
import type { ConnectorDefinition } from '../../core/connector/types';
import type { EffectLookup } from '../../core/playbook/effects';
import { planToRun } from '../../core/playbook/plan-to-run';
import type { PlanContext } from '../../core/playbook/timeout-defaults';
import type { Plan } from '../../core/playbook/types';
import { endpointEffects } from '../../core/validate/endpoint-effects';
import { EMPTY_CATALOGUE, type ConnectorEntry } from '../../core/validate/catalogue';
import type { PinnedConnectors, VersionRow } from '../db/stores/definition-types';
import type { RunRow } from '../db/stores/run-types';

/** Versions never change, and a playbook is started more than once. */
const decided = new WeakMap<VersionRow<Plan>, Map<string, Plan>>();
const KEPT = 100;

/** The plan of a run, with what is decided by the versions that the run has pinned and by where it stands. */
export async function pinnedPlan(
  connectors: PinnedConnectors,
  row: Pick<RunRow, 'owner_id' | 'connectors'>,
  version: VersionRow<Plan>,
  callers: Omit<PlanContext, 'lookup'>,
): Promise<Plan> {
  const plans = decided.get(version) ?? new Map<string, Plan>();
  decided.set(version, plans);
  const key = canonicalJson([{ ...callers }, row.owner_id, row.connectors]);
  const known = plans.get(key);
  if (known !== undefined) return known;
  const lookup = await pinnedEffects(connectors, row);
  const plan = planToRun(version.body, version.source, { lookup, ...callers });
  if (plans.size >= KEPT) plans.clear();
  plans.set(key, plan);
  return plan;
}

/** Effects of the pinned versions; an unreadable one is not known, and counts as unsafe. */
export async function pinnedEffects(
  connectors: PinnedConnectors,
  row: Pick<RunRow, 'owner_id' | 'connectors'>,
): Promise<EffectLookup> {
  const entries = new Map<string, ConnectorEntry>();
  for (const [slug, versionId] of Object.entries(row.connectors)) {
    const found = await connectors.version(row.owner_id, versionId);
    if (found) entries.set(slug, connectorEntry(found.body as ConnectorDefinition));
  }
  return endpointEffects({ ...EMPTY_CATALOGUE, connector: (slug) => entries.get(slug) });
}
