import { randomUUID } from 'node:crypto';
import { TransitionsStore, type Transition } from '../../infra/db/stores/transitions.store';
import { account, made, newRun, noPerson, type Body, type BodyId, type Factory } from './walk-objects';

const DIGEST = 'd'.repeat(64);

const waitingApproval: Factory = async (maker, params) => {
  const id = randomUUID();
  const approval: NonNullable<Transition['approvals']>[number] = {
    id,
    step_path: 'ask',
    step_name: 'ask',
    prompt: 'Go on?',
    status: 'waiting',
    preview: [],
    preview_total: 0,
    action: { step: 'ask', inputs: { to: 'a' } },
    digest: DIGEST,
    edit_schema: { type: 'object', additionalProperties: false, properties: { to: { type: 'string' } } },
    on_reject: 'stop',
    on_timeout: 'stop',
    due_at: null,
  };
  const runId = await newRun(maker, params);
  await new TransitionsStore(maker.api.database).apply(runId, { events: [], approvals: [approval] });
  return id;
};

/** The token of a link for its maker. */
const approvalLink: Factory = async (maker, params) => {
  const approvalId = await waitingApproval(maker, params);
  const url = await made(maker.call, `/approvals/${approvalId}/links`, { user: maker.ownerId }, 'url');
  return url.slice(url.lastIndexOf('/') + 1);
};

export const APPROVAL_FACTORIES: Record<string, Factory> = {
  'approvals/{approvalId}': waitingApproval,
  'approvals/{token}': approvalLink,
};

const decision = (): object => ({ decisionId: randomUUID(), digest: DIGEST });

export const APPROVAL_BODIES: Record<string, Body> = {
  'POST /approvals/{approvalId}/approve': decision,
  'POST /approvals/{approvalId}/reject': decision,
  'POST /approvals/{approvalId}/edit': () => ({ edits: { to: 'b' }, digest: DIGEST }),
  'POST /approvals/{approvalId}/delegate': async (maker, params) => ({ to: await account(maker, params) }),
  'POST /approvals/{approvalId}/comment': () => ({ text: 'Seen.' }),
  'POST /approvals/{approvalId}/links': ({ ownerId }) => ({ user: ownerId }),
  'POST /links/approvals/{token}/decide': () => ({ decision: 'approve' }),
};

export const APPROVAL_BODY_IDS: Record<string, BodyId | 'own'> = {
  'BulkDecisionDto.approvalId': {
    foreign: waitingApproval,
    route: 'POST /approvals/bulk',
    status: 404,
    naming: (_body, approvalId) => ({ items: [{ ...decision(), approvalId, decision: 'approve' }] }),
    each: true,
  },
  // People are nobody's: whom there is not is no one.
  'DelegateApprovalDto.to': { foreign: noPerson, route: 'POST /approvals/{approvalId}/delegate', status: 422 },
  'CreateApprovalLinkDto.user': { foreign: noPerson, route: 'POST /approvals/{approvalId}/links', status: 422 },
};
