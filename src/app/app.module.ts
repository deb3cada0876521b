import { Module, type DynamicModule } from '@nestjs/common';
import { APP_GUARD, APP_INTERCEPTOR } from '@nestjs/core';
import { AccessGuard } from '../access/access.guard';
import { Authenticator } from '../access/authenticator';
import { requireRules } from '../access/route-rules';
import { ActionsController } from '../actions/actions.controller';
import { APPROVAL_CONTROLLERS, APPROVAL_SERVICES } from '../approvals/approvals';
import { AuditInterceptor } from '../audit/audit.interceptor';
import { ConnectorDraftsController } from '../connectors/connector-drafts.controller';
import { ConnectorDraftsService } from '../connectors/connector-drafts.service';
import { ConnectorTestController } from '../connectors/connector-test.controller';
import { ConnectorTestService } from '../connectors/connector-test.service';
import { ConnectorStateController } from '../connectors/connector-state.controller';
import { ConnectorStateService } from '../connectors/connector-state.service';
import { ConnectorsController } from '../connectors/connectors.controller';
import { ConnectorsService } from '../connectors/connectors.service';
import { ConnectorTemplatesController } from '../connectors/templates.controller';
import { TemplatesService } from '../connectors/templates.service';
import { DocumentsController } from '../documents/documents.controller';
import { DocumentsService } from '../documents/documents.service';
import { EVENT_CONTROLLERS, EVENT_SERVICES } from '../events/events';
import { FoldersController } from '../folders/folders.controller';
import { FoldersService } from '../folders/folders.service';
import { HealthController } from '../health/health.controller';
import { HealthService } from '../health/health.service';
import { IDENTITY_CONTROLLERS, IDENTITY_SERVICES } from '../identity/identity';
import { JournalController } from '../journal/journal.controller';
import { JournalService } from '../journal/journal.service';
import { PlaybookTestController } from '../playbooks/playbook-test.controller';
import { PlaybookTestService } from '../playbooks/playbook-test.service';
import { PlaybookVersionsController } from '../playbooks/playbook-versions.controller';
import { PlaybookVersionsService } from '../playbooks/playbook-versions.service';
import { PlaybooksController } from '../playbooks/playbooks.controller';
import { PlaybooksService } from '../playbooks/playbooks.service';
import { PROFILE_CONTROLLERS, PROFILE_SERVICES } from '../profiles/profiles.providers';
import { RunBulkController } from '../runs/run-bulk.controller';
import { RunBulkService } from '../runs/run-bulk.service';
import { RunDetailsController } from '../runs/run-details.controller';
import { RunDetailsService } from '../runs/run-details.service';
import { RunStepsService } from '../runs/run-steps.service';
import { RunEventsController } from '../runs/events.controller';
import { RunCommandsController } from '../runs/run-commands.controller';
import { ProfileRuns } from '../runs/profile-runs';
import { RunControlService } from '../runs/run-control.service';
import { RunLauncher } from '../runs/run-launcher';
import { RunOutputsService } from '../runs/run-outputs.service';
import { RunReadService } from '../runs/run-read.service';
import { RunRetryService } from '../runs/run-retry.service';
import { RunStartService } from '../runs/run-start.service';
import { RunStreamService } from '../runs/run-stream.service';
import { RunWaitService } from '../runs/run-wait.service';
import { RunsController } from '../runs/runs.controller';
import { SearchController } from '../search/search.controller';
import { SearchService } from '../search/search.service';
import { SECURITY_CONTROLLERS } from '../secrets/security';
import { StartController } from '../start/start.controller';
import { SystemController } from '../system/system.controller';
import { SystemService } from '../system/system.service';
import { WorkspacesController } from '../workspaces/workspaces.controller';
import { WorkspacesService } from '../workspaces/workspaces.service';
import { WsController } from '../ws/ws.controller';
import { WsService } from '../ws/ws.service';
import { infraProviders, type ApiDeps } from './deps';

const CONTROLLERS = [
  ActionsController,
  ...APPROVAL_CONTROLLERS,
  ConnectorTemplatesController,
  ConnectorDraftsController,
  ConnectorTestController,
  ConnectorStateController,
  ConnectorsController,
  DocumentsController,
  FoldersController,
  HealthController,
  JournalController,
  PlaybooksController,
  PlaybookTestController,
  PlaybookVersionsController,
  RunBulkController,
  RunsController,
  RunDetailsController,
  RunEventsController,
  RunCommandsController,
  SearchController,
  StartController,
  SystemController,
  WorkspacesController,
  ...SECURITY_CONTROLLERS,
  ...PROFILE_CONTROLLERS,
  ...IDENTITY_CONTROLLERS,
  ...EVENT_CONTROLLERS,
  WsController,
];

const SERVICES = [
  ...APPROVAL_SERVICES,
  ConnectorsService,
  ConnectorDraftsService,
  ConnectorTestService,
  ConnectorStateService,
  TemplatesService,
  DocumentsService,
  FoldersService,
  HealthService,
  JournalService,
  PlaybooksService,
  PlaybookTestService,
  PlaybookVersionsService,
  ProfileRuns,
  RunBulkService,
  RunControlService,
  RunDetailsService,
  RunLauncher,
  RunOutputsService,
  RunReadService,
  RunRetryService,
  RunStartService,
  RunStepsService,
  RunStreamService,
  RunWaitService,
  SearchService,
  SystemService,
  WorkspacesService,
  ...PROFILE_SERVICES,
  Authenticator,
  ...IDENTITY_SERVICES,
  { provide: APP_GUARD, useClass: AccessGuard },
  { provide: APP_INTERCEPTOR, useClass: AuditInterceptor },
  ...EVENT_SERVICES,
  WsService,
];

/** One module: the folders are the parts, and nothing here is used by another application. */
@Module({})
export class AppModule {
  static of(deps: ApiDeps): DynamicModule {
    requireRules(CONTROLLERS);
    return { module: AppModule, controllers: CONTROLLERS, providers: [...infraProviders(deps), ...SERVICES] };
  }
}
