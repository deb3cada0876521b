import { ApprovalActsController } from './approval-acts.controller';
import { ApprovalActsService } from './approval-acts.service';
import { ApprovalLinksController } from './approval-links.controller';
import { ApprovalLinksService } from './approval-links.service';
import { ApprovalsController } from './approvals.controller';
import { ApprovalsService } from './approvals.service';
import { DecisionService } from './decision.service';
import { InboxController } from './inbox.controller';
import { InboxService } from './inbox.service';
import { PreviewService } from './preview.service';

// The inbox first: its `summary` and `bulk` are no ids.
export const APPROVAL_CONTROLLERS = [
  InboxController,
  ApprovalsController,
  ApprovalActsController,
  ApprovalLinksController,
];
export const APPROVAL_SERVICES = [
  ApprovalsService,
  ApprovalActsService,
  ApprovalLinksService,
  DecisionService,
  InboxService,
  PreviewService,
];
