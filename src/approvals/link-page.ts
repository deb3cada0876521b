import { shortfallText } from '../../core/report/shortfall-text';
import { markup, type Html } from '../pages/html';
import type { Page } from '../pages/page';
import type { ApprovalDto, LinkedApprovalDto } from './dto/approval-view.dto';
import { dataView } from './data-view';
import { LINK_SCRIPT } from './link-script';

/** What a link is about, for the person that it is for: what is asked, what will be done, and two buttons. */
export function approvalPage(link: LinkedApprovalDto): Page {
  const { approval, user } = link;
  const body = markup`${failuresOf(approval)}<p class="words">${approval.prompt}</p>
<dl>
<dt>For</dt><dd>${user}</dd>
<dt>Step</dt><dd>${approval.step}</dd>
<dt>Since</dt><dd>${timeOf(approval.requested_at)}</dd>
${approval.due_at === undefined ? undefined : markup`<dt>Until</dt><dd>${timeOf(approval.due_at)}</dd>`}
</dl>
${previewOf(approval)}
${actionOf(approval)}
${link.usable ? formOf(link) : markup`<p><strong>${whyNot(approval)}</strong></p>`}`;
  return link.usable ? { title: 'Your decision', body, script: LINK_SCRIPT } : { title: 'A decision', body };
}

function timeOf(at: string): Html {
  return markup`<time datetime="${at}">${at.slice(0, 16).replace('T', ' ')} UTC</time>`;
}

/** First: what is missing says how far the rest can be trusted. */
function failuresOf({ failures = [] }: ApprovalDto): Html | undefined {
  if (failures.length === 0) return undefined;
  return markup`<ul class="missing">${failures.map((failure) => markup`<li><strong>${shortfallText(failure)}</strong></li>`)}</ul>`;
}

function previewOf({ preview, preview_total }: ApprovalDto): Html | undefined {
  if (preview === undefined || preview === null) return undefined;
  const shown = Array.isArray(preview) ? preview.length : undefined;
  const more = shown !== undefined && preview_total !== undefined && preview_total > shown;
  return markup`<h2>To look at</h2>
${more ? markup`<p class="quiet">${shown} of ${preview_total} rows.</p>` : undefined}
${dataView(preview)}`;
}

function actionOf({ action, edits }: ApprovalDto): Html {
  if (action === undefined || action === null)
    return markup`<p class="quiet">Nothing is done behind this but that the run goes on.</p>`;
  return markup`<h2>What will be done</h2>
${edits === undefined || edits === null ? undefined : markup`<p class="quiet">As it was edited.</p>`}
${dataView(action)}`;
}

function formOf({ decide_at, user }: LinkedApprovalDto): Html {
  const signIn = markup`<fieldset hidden disabled>
<legend>Sign in to decide</legend>
<label>Handle <input name="handle" value="${user}" autocomplete="username" readonly></label>
<label>Password <input name="password" type="password" autocomplete="current-password" required></label>
</fieldset>`;
  return markup`<form data-at="${decide_at}">
<label>Words for the run
<small>Not needed. The steps behind this gate read them.</small>
<textarea name="instructions" rows="3" maxlength="20000"></textarea></label>
${signIn}
<button value="approve">Approve</button><button value="reject" class="no">Reject</button>
<output></output>
<noscript><p>This page needs JavaScript. Programs POST {"decision": "approve"} to ${decide_at}.</p></noscript>
</form>`;
}

function whyNot({ status, decided_by, decided_at }: ApprovalDto): string {
  if (status === 'waiting')
    return 'This link cannot be used any more: it was used, or the request was changed after it was made. Ask for a new one.';
  const by = decided_by === undefined ? '' : ` by ${decided_by}`;
  const at = decided_at === undefined ? '' : ` on ${decided_at.slice(0, 10)}`;
  return `Nothing is left to decide: this was ${ENDS[status]}${by}${at}.`;
}

const ENDS: Record<Exclude<ApprovalDto['status'], 'waiting'>, string> = {
  approved: 'approved',
  rejected: 'rejected',
  timed_out: 'not decided in time',
  cancelled: 'cancelled with its run',
  auto_approved: 'approved by the policy of its run',
};
