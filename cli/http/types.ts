import type { components } from './api.gen';

/** Answers of the API, from its document; `npm run openapi` writes the types anew. */
type Schemas = components['schemas'];

export type RunStarted = Schemas['RunStartedDto'];
export type Run = Schemas['RunDto'];
export type RunControl = Schemas['ControlAnswerDto'];
export type RunSummary = Schemas['RunSummaryDto'];
export type ApprovalSummary = Schemas['ApprovalSummaryDto'];
export type Approval = Schemas['ApprovalDto'];
export type DecisionAnswer = Schemas['DecisionAnswerDto'];
export type PreviewPage = Schemas['PreviewPageDto'];
export type DocumentInfo = Schemas['DocumentDto'];
export type SecretInfo = Schemas['SecretDto'];
export type PlaybookSummary = Schemas['PlaybookSummaryDto'];
export type ConnectorSummary = Schemas['ConnectorSummaryDto'];
export type ConnectorHealth = Schemas['ConnectorHealthDto'];
export type ConnectorTest = Schemas['ConnectorTestReportDto'];

export type Workspace = Schemas['WorkspaceDto'];
export type WorkspaceTable = Schemas['WorkspaceTableDto'];
export type Team = Schemas['TeamDto'];
export type Person = Schemas['PersonDto'];
export type ApprovalLink = Schemas['ApprovalLinkDto'];
export type GrantedDirs = Schemas['GrantedDirsDto'];
export type DryRun = Schemas['TestReportDto'];

export interface Page<Item> {
  items: Item[];
  next_cursor?: string;
}
