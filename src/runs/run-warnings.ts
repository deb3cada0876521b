import type { Plan } from '../../core/playbook/types';
import { collectPlaybookSlugs, type ModelFacts } from '../../core/validate/catalogue';
import type { PlaybooksStore } from '../../infra/db/stores/definitions.store';
import { playbookEntries } from '../playbooks/owner-catalogue';
import { warningsOf } from '../shared/run-warning.dto';
import type { RunStartedDto } from './dto/run-view.dto';

/**
 * Warnings of failures in a run that begins now. Called playbooks are read only if they matter, and not among another
 * owner's definitions (`foreign`).
 */
export async function runWarnings(
  { playbooks, models }: { playbooks: PlaybooksStore; models: ModelFacts },
  ownerId: string,
  plan: Plan,
  foreign: boolean,
): Promise<Pick<RunStartedDto, 'warnings'>> {
  const slugs = models.fault === undefined || foreign ? [] : collectPlaybookSlugs(plan);
  const called = await playbookEntries(playbooks, ownerId, slugs);
  return warningsOf(plan, models, (slug) => called.get(slug));
}
