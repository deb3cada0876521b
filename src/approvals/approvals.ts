import { ApprovalActsController } from './approval-acts.controller';
import { ApprovalActsService } from './approval-acts.service';
import { ApprovalLinksController } from './approval-links.controller';
import { ApprovalLinksService } from './approval-links.service';
import { ApprovalsController } from './approvals.controller';
import { ApprovalsService } from './approvals.service';
import { DecisionService } from './decision.service';

export const APPROVAL_CONTROLLERS = [ApprovalsController, ApprovalActsController, ApprovalLinksController];
export const APPROVAL_SERVICES = [ApprovalsService, ApprovalActsService, ApprovalLinksService, DecisionService];
