import type { ConnectorDefinition } from '../core/connector/types';
import { AppError } from '../core/errors/app-error';
import type { Plan } from '../core/playbook/types';
import { collectConnectorSlugs } from '../core/validate/catalogue';
import type { ConnectorsStore, PlaybooksStore } from '../infra/db/stores/definitions.store';
import type { VersionRow } from '../infra/db/stores/definition-types';
import { notFound } from '../infra/db/stores/not-found';
import type { ProfileDefinitionsStore } from '../infra/db/stores/profile-definitions.store';
import type { RunRow } from '../infra/db/stores/run-types';
import type { CreateChildInput } from '../workflows/types';

/** Definitions of child runs. */
export interface ChildDefinitions {
  playbooks: PlaybooksStore;
  connectors: ConnectorsStore<ConnectorDefinition>;
  profileDefinitions: ProfileDefinitionsStore;
}

/** Pins connectors as for the parent: those of its owner, or those that another's profile uses. */
export async function pinConnectors(
  deps: ChildDefinitions,
  parent: RunRow,
  plan: Plan,
): Promise<{ [slug: string]: string }> {
  const slugs = collectConnectorSlugs(plan);
  const profileId = profileOfAnother(parent);
  const latest =
    profileId === null
      ? await deps.connectors.latest(parent.owner_id, slugs)
      : await deps.profileDefinitions.latestConnectors(parent.owner_id, profileId, slugs);
  const missing = slugs.find((slug) => !latest.has(slug));
  if (missing !== undefined) throw notFound('connector', missing);
  return Object.fromEntries(latest);
}

/** The playbook that is called: one of the owner's, or a skill of another's profile that the parent runs for. */
export async function versionToCall(
  deps: ChildDefinitions,
  { ownerId, playbook, version }: CreateChildInput,
  parent: RunRow,
): Promise<VersionRow<Plan>> {
  const profileId = profileOfAnother(parent);
  if (profileId === null) return deps.playbooks.resolve(ownerId, playbook, version);
  const wanted = { ref: playbook, ...(version === undefined ? {} : { version }) };
  const skill = await deps.profileDefinitions.playbookVersion(ownerId, profileId, wanted);
  const found = skill === null ? null : await deps.playbooks.version(ownerId, skill.version_id);
  if (found === null) throw notASkill(playbook);
  return found;
}

function profileOfAnother(parent: RunRow): string | null {
  return parent.profile_owner_id === parent.owner_id ? null : parent.profile_id;
}

function notASkill(playbook: string): AppError {
  return new AppError(
    'playbook_not_found',
    `The profile of this run has no skill "${playbook}". Its owner can add that playbook to its skills.`,
    { category: 'not_found' },
  );
}
