import type { ConnectorDefinition } from '../../core/connector/types';
import type { Database } from '../../infra/db/database';
import { ApprovalActsStore } from '../../infra/db/stores/approval-acts.store';
import { ApprovalInboxStore } from '../../infra/db/stores/approval-inbox.store';
import { ApprovalLinksStore } from '../../infra/db/stores/approval-links.store';
import { ApprovalViewStore } from '../../infra/db/stores/approval-view.store';
import { ApprovalsStore } from '../../infra/db/stores/approvals.store';
import { ConnectorBindingsStore } from '../../infra/db/stores/connector-bindings.store';
import { ConnectorCallsStore } from '../../infra/db/stores/connector-calls.store';
import { DecisionHeadsStore } from '../../infra/db/stores/decision-heads.store';
import { DecisionsStore } from '../../infra/db/stores/decisions.store';
import { ConnectorsStore, PlaybooksStore } from '../../infra/db/stores/definitions.store';
import { DiscoveriesStore } from '../../infra/db/stores/discoveries.store';
import { DocumentsStore } from '../../infra/db/stores/documents.store';
import { EventsStore } from '../../infra/db/stores/events.store';
import { FoldersStore } from '../../infra/db/stores/folders.store';
import { IdempotencyStore } from '../../infra/db/stores/idempotency.store';
import { ApiKeysStore } from '../../infra/db/stores/identity/api-keys.store';
import { AuditStore } from '../../infra/db/stores/identity/audit.store';
import { CredentialsStore } from '../../infra/db/stores/identity/credentials.store';
import { InvitesStore } from '../../infra/db/stores/identity/invites.store';
import { LinksStore } from '../../infra/db/stores/identity/links.store';
import { SessionsStore } from '../../infra/db/stores/identity/sessions.store';
import { SigningKeysStore } from '../../infra/db/stores/identity/signing-keys.store';
import { UsersStore } from '../../infra/db/stores/identity/users.store';
import { ImportDirsStore } from '../../infra/db/stores/import-dirs.store';
import { JournalStore } from '../../infra/db/stores/journal.store';
import { MasterKeysStore } from '../../infra/db/stores/master-keys.store';
import { ModelCallsStore } from '../../infra/db/stores/model-calls.store';
import { OpenRunsStore } from '../../infra/db/stores/open-runs.store';
import { OwnerEventsStore } from '../../infra/db/stores/owner-events.store';
import { PluginsStore } from '../../infra/db/stores/plugins.store';
import { ProfileConnectorsStore } from '../../infra/db/stores/profile-connectors.store';
import { ProfileDefinitionsStore } from '../../infra/db/stores/profile-definitions.store';
import { ProfileJournalStore } from '../../infra/db/stores/profile-journal.store';
import { ProfileSkillsStore } from '../../infra/db/stores/profile-skills.store';
import { ProfilesStore } from '../../infra/db/stores/profiles.store';
import { ReadingRightsStore } from '../../infra/db/stores/reading-rights.store';
import { RunRetryStore } from '../../infra/db/stores/run-retry.store';
import { RunStepsStore } from '../../infra/db/stores/run-steps.store';
import { RunViewStore } from '../../infra/db/stores/run-view.store';
import { RunsStore } from '../../infra/db/stores/runs.store';
import { SearchStore } from '../../infra/db/stores/search.store';
import { SharesStore } from '../../infra/db/stores/shares.store';
import { StepsStore } from '../../infra/db/stores/steps.store';
import { SystemStore } from '../../infra/db/stores/system.store';
import { TeamInvitationsStore } from '../../infra/db/stores/team-invitations.store';
import { TeamsStore } from '../../infra/db/stores/teams.store';
import { TransitionsStore } from '../../infra/db/stores/transitions.store';
import { WorkspacesStore } from '../../infra/db/stores/workspaces.store';

/** Stores of an API process: each is made here, once, and passed on. */
export type ApiStores = ReturnType<typeof openStores>;

export function openStores(database: Database) {
  return {
    ...definitionStores(database),
    ...runStores(database),
    ...identityStores(database),
    ...profileStores(database),
  };
}

function definitionStores(database: Database) {
  return {
    connectorBindings: new ConnectorBindingsStore(database),
    connectorCalls: new ConnectorCallsStore(database),
    connectors: new ConnectorsStore<ConnectorDefinition>(database),
    documents: new DocumentsStore(database),
    folders: new FoldersStore(database),
    importDirs: new ImportDirsStore(database),
    playbooks: new PlaybooksStore(database),
    search: new SearchStore(database),
    system: new SystemStore(database),
    workspaces: new WorkspacesStore(database),
  };
}

function runStores(database: Database) {
  const steps = new StepsStore(database);
  return {
    approvalActs: new ApprovalActsStore(database),
    approvalInbox: new ApprovalInboxStore(database),
    approvalLinks: new ApprovalLinksStore(database),
    approvalView: new ApprovalViewStore(database),
    approvals: new ApprovalsStore(database),
    decisionHeads: new DecisionHeadsStore(database),
    decisions: new DecisionsStore(database),
    events: new EventsStore(database),
    journal: new JournalStore(database),
    modelCalls: new ModelCallsStore(database),
    openRuns: new OpenRunsStore(database),
    ownerEvents: new OwnerEventsStore(database),
    readingRights: new ReadingRightsStore(database),
    runRetry: new RunRetryStore(database, steps),
    runSteps: new RunStepsStore(database),
    runView: new RunViewStore(database),
    runs: new RunsStore(database),
    steps,
    transitions: new TransitionsStore(database),
  };
}

function identityStores(database: Database) {
  return {
    apiKeys: new ApiKeysStore(database),
    audit: new AuditStore(database),
    credentials: new CredentialsStore(database),
    idempotency: new IdempotencyStore(database),
    invites: new InvitesStore(database),
    links: new LinksStore(database),
    masterKeys: new MasterKeysStore(database),
    sessions: new SessionsStore(database),
    signingKeys: new SigningKeysStore(database),
    users: new UsersStore(database),
  };
}

function profileStores(database: Database) {
  return {
    discoveries: new DiscoveriesStore(database),
    plugins: new PluginsStore(database),
    profileConnectors: new ProfileConnectorsStore(database),
    profileDefinitions: new ProfileDefinitionsStore(database),
    profileJournal: new ProfileJournalStore(database),
    profileSkills: new ProfileSkillsStore(database),
    profiles: new ProfilesStore(database),
    shares: new SharesStore(database),
    teamInvitations: new TeamInvitationsStore(database),
    teams: new TeamsStore(database),
  };
}
