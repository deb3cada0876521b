import type { components } from './api.gen';

/** What the API answers with, as its document says; `npm run openapi` writes the types anew. */
type Schemas = components['schemas'];

export type RunStarted = Schemas['RunStartedDto'];
export type Run = Schemas['RunDto'];
export type RunControl = Schemas['ControlAnswerDto'];
export type RunSummary = Schemas['RunSummaryDto'];
export type ApprovalSummary = Schemas['ApprovalSummaryDto'];
export type Approval = Schemas['ApprovalDto'];
export type DocumentInfo = Schemas['DocumentDto'];
export type SecretInfo = Schemas['SecretDto'];
export type PlaybookSummary = Schemas['PlaybookSummaryDto'];
export type ConnectorSummary = Schemas['ConnectorSummaryDto'];
export type ConnectorHealth = Schemas['ConnectorHealthDto'];
export type ConnectorTest = Schemas['ConnectorTestReportDto'];

export interface Page<Item> {
  items: Item[];
  next_cursor?: string;
}
