import type { Type } from '@nestjs/common';
import { DiscoveriesController } from '../discoveries/discoveries.controller';
import { DiscoveriesService } from '../discoveries/discoveries.service';
import { PluginsController } from '../plugins/plugins.controller';
import { PluginsService } from '../plugins/plugins.service';
import { TeamInvitationsController } from '../teams/invitations.controller';
import { InvitationsService } from '../teams/invitations.service';
import { TeamMembersController } from '../teams/members.controller';
import { TeamsController } from '../teams/teams.controller';
import { TeamsService } from '../teams/teams.service';
import { BindingsService } from './bindings.service';
import { ProfileConnectorsController } from './profile-connectors.controller';
import { ProfileJournalController } from './profile-journal.controller';
import { ProfileJournalService } from './profile-journal.service';
import { ProfileSkillsController } from './profile-skills.controller';
import { ProfileTemplatesController } from './profile-templates.controller';
import { ProfileTemplatesService } from './profile-templates.service';
import { ProfilesController } from './profiles.controller';
import { ProfilesService } from './profiles.service';
import { SharesController } from './shares.controller';
import { SharesService } from './shares.service';

/** Profiles, teams, and what agents leave behind: for the application's one module. */
export const PROFILE_CONTROLLERS: Type<object>[] = [
  // Comes before `/profiles/{id}`, which would take `templates` for an id.
  ProfileTemplatesController,
  ProfilesController,
  ProfileConnectorsController,
  ProfileSkillsController,
  ProfileJournalController,
  SharesController,
  TeamsController,
  TeamMembersController,
  TeamInvitationsController,
  DiscoveriesController,
  PluginsController,
];

export const PROFILE_SERVICES: Type<object>[] = [
  ProfilesService,
  ProfileTemplatesService,
  BindingsService,
  ProfileJournalService,
  SharesService,
  TeamsService,
  InvitationsService,
  DiscoveriesService,
  PluginsService,
];
