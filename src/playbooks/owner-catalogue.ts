import { connectorEntry } from '../../core/connector/entry';
import type { ConnectorDefinition } from '../../core/connector/types';
import type { Plan } from '../../core/playbook/types';
import {
  collectConnectorSlugs,
  collectPlaybookSlugs,
  namedUsers,
  namesTeams,
  playbookEntry,
  type Catalogue,
  type ConnectorEntry,
  type PlaybookEntry,
  type TeamEntry,
} from '../../core/validate/catalogue';
import type { ModelFacts } from '../../core/validate/catalogue';
import type { ApprovalActsStore } from '../../infra/db/stores/approval-acts.store';
import type { TeamsStore } from '../../infra/db/stores/teams.store';
import type { ConnectorsStore, PlaybooksStore } from '../../infra/db/stores/definitions.store';

/** Names for "did you mean"; more would not make the suggestion better. */
const MOST_NAMES = 200;
/** Playbooks that are loaded: children are at most 5 deep, each with a few calls. */
const MOST_CALLED = 100;

export interface DefinitionStores {
  connectors: ConnectorsStore<ConnectorDefinition>;
  playbooks: PlaybooksStore;
}

export interface CatalogueStores extends DefinitionStores {
  teams: TeamsStore;
  people: Pick<ApprovalActsStore, 'people' | 'unknownHandles'>;
  /** Models of the installation. */
  models: ModelFacts;
}

/** Loads what a plan refers to, so that validation itself is pure. */
export async function catalogueFor(
  stores: CatalogueStores,
  ownerId: string,
  plan: Plan | undefined,
): Promise<Catalogue> {
  const [definitions, teams, users] = await Promise.all([
    definitionsFor(stores, ownerId, plan),
    plan !== undefined && namesTeams(plan) ? teamEntries(stores, ownerId) : undefined,
    plan === undefined ? undefined : userFacts(stores, ownerId, namedUsers(plan)),
  ]);
  return { ...definitions, models: stores.models, ...(teams === undefined ? {} : { teams }), ...users };
}

/** Loads the connectors and playbooks alone: for a plan whose version was validated when it was saved. */
export async function definitionsFor(
  stores: DefinitionStores,
  ownerId: string,
  plan: Plan | undefined,
): Promise<Catalogue> {
  const [connectors, playbooks, connectorSlugs, playbookSlugs] = await Promise.all([
    connectorEntries(stores, ownerId, plan === undefined ? [] : collectConnectorSlugs(plan)),
    playbookEntries(stores.playbooks, ownerId, plan === undefined ? [] : collectPlaybookSlugs(plan)),
    slugs(stores.connectors, ownerId),
    slugs(stores.playbooks, ownerId),
  ]);
  return {
    connector: (slug) => connectors.get(slug),
    connectorSlugs: () => connectorSlugs,
    playbook: (slug) => playbooks.get(slug),
    playbookSlugs: () => playbookSlugs,
  };
}

/** Handles that nobody has, and those that could be meant. */
async function userFacts(
  { people }: CatalogueStores,
  ownerId: string,
  named: readonly string[],
): Promise<Pick<Catalogue, 'unknownUsers' | 'colleagues'>> {
  if (named.length === 0) return {};
  const unknownUsers = await people.unknownHandles(ownerId, named);
  if (unknownUsers.length === 0) return {};
  const colleagues = await people.people(ownerId, '', MOST_NAMES);
  return { unknownUsers, colleagues: colleagues.map(({ handle }) => handle) };
}

async function slugs(store: ConnectorsStore<ConnectorDefinition> | PlaybooksStore, ownerId: string): Promise<string[]> {
  return (await store.list(ownerId, { limit: MOST_NAMES })).items.map((row) => row.slug);
}

/** Undefined where there are more than are read: a name that is not among them may exist. */
async function teamEntries({ teams }: CatalogueStores, ownerId: string): Promise<TeamEntry[] | undefined> {
  const page = await teams.list(ownerId, { limit: MOST_NAMES });
  return page.next_cursor === null ? page.items : undefined;
}

async function connectorEntries(
  stores: DefinitionStores,
  ownerId: string,
  names: string[],
): Promise<Map<string, ConnectorEntry>> {
  const found = await Promise.all(names.map((name) => latest(stores.connectors, ownerId, name)));
  return new Map(
    found.flatMap((body, index) => (body === undefined ? [] : [[names[index] ?? '', connectorEntry(body)] as const])),
  );
}

/** Entries of the called playbooks, and of those that they call, so that a cycle through several is found. */
export async function playbookEntries(
  playbooks: PlaybooksStore,
  ownerId: string,
  names: string[],
): Promise<Map<string, PlaybookEntry>> {
  const entries = new Map<string, PlaybookEntry>();
  for (const open = [...names]; open.length > 0 && entries.size < MOST_CALLED;) {
    const slug = open.pop() ?? '';
    const plan = entries.has(slug) ? undefined : await latest<Plan>(playbooks, ownerId, slug);
    if (plan !== undefined) {
      const entry = playbookEntry(plan);
      entries.set(slug, entry);
      open.push(...entry.calls);
    }
  }
  return entries;
}

interface LatestOf<Body> {
  get(ownerId: string, idOrSlug: string): Promise<{ latest_version_id: string } | null>;
  version(ownerId: string, versionId: string): Promise<{ body: Body } | null>;
}

async function latest<Body>(store: LatestOf<Body>, ownerId: string, slug: string): Promise<Body | undefined> {
  const row = await store.get(ownerId, slug);
  return row === null ? undefined : (await store.version(ownerId, row.latest_version_id))?.body;
}
