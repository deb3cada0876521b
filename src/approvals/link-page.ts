import { capitalize } from '../../core/base/capitalize';
import { effectsBehindText, heldStep, withoutYesTexts } from '../../core/report/effects-behind-text';
import { changeText } from '../../core/report/change-text';
import { shortfallText } from '../../core/report/shortfall-text';
import { isJsonObject, type Json } from '../../core/base/json';
import { unknownApproversText } from '../../core/report/unknown-approvers-text';
import { shownNumber } from '../../core/report/shown-number';
import { markup, type Html } from '../pages/html';
import type { Page } from '../pages/page';
import { timeOf } from '../pages/time';
import type { ApprovalDto, LinkedApprovalDto, UnusableBecause } from './dto/approval-view.dto';
import { dataView, textOf } from './data-view';
import { outcomeOf } from './link-outcome';
import { LINK_SCRIPT } from './link-script';

/** The page of a link. `rows`: the data of the preview, all of them where possible. */
export function approvalPage(link: LinkedApprovalDto, rows: Json | undefined): Page {
  const { approval, unusable_because: why } = link;
  const isOpen = why === undefined || !OVER.includes(why);
  const about = markup`<div class="about">${outcomeOf(link)}${failuresOf(approval)}<p class="words">${approval.prompt}</p>${changesOf(approval)}
${factsOf(link)}
${previewOf(approval, rows)}
${editedOf(approval)}
${isOpen ? markup`${actionOf(approval)}${withoutYesOf(approval)}` : pastActionOf(approval)}</div>`;
  if (why !== undefined) return { title: 'A decision', body: about };
  return { title: 'Your decision', body: formOf(link, about), script: LINK_SCRIPT };
}

/** Reasons after which what a request asked for is no longer what will be done. */
const OVER: readonly UnusableBecause[] = ['decided', 'due_passed', 'run_closed'];

/** Fields that an edit changed, beside the question, which was written before. */
function changesOf({ changes = [] }: ApprovalDto): Html | undefined {
  if (changes.length === 0) return undefined;
  return markup`<div class="edited"><p><strong>Edited since this was asked:</strong></p>
<ul>${changes.map((change) => markup`<li>${changeText(change)}${change.by === undefined ? '' : `, by ${change.by}`}${change.at === undefined ? undefined : markup` on ${timeOf(change.at)}`}</li>`)}</ul></div>`;
}

function factsOf({ approval, playbook, asked_by: requester, user }: LinkedApprovalDto): Html {
  const { due_at: due, rules } = approval;
  const { quorum, approvals } = rules;
  const nobody = unknownApproversText(rules.unknown_approvers);
  return markup`<dl>
<dt>Playbook</dt><dd>${playbook.name} <span class="quiet">${playbook.slug}</span></dd>
<dt>Run</dt><dd><code>${approval.runId}</code>, step ${approval.step}</dd>
<dt>Asked by</dt><dd>${requester}, ${timeOf(approval.requested_at)}</dd>
<dt>To decide</dt><dd><strong>${user}</strong></dd>
${quorum > 1 ? markup`<dt>Approvals</dt><dd>${approvals} of the ${quorum} that are needed</dd>` : undefined}
${due === undefined ? undefined : markup`<dt>Until</dt><dd>${timeOf(due)}</dd>`}
</dl>${nobody === undefined ? undefined : markup`<p class="quiet">${nobody}.</p>`}`;
}

/** Missing data, shown before the data that depend on them. */
function failuresOf({ failures = [] }: ApprovalDto): Html | undefined {
  if (failures.length === 0) return undefined;
  return markup`<ul class="missing">${failures.map((failure) => markup`<li>${shortfallText(failure)}</li>`)}</ul>`;
}

function previewOf({ preview_total: total }: ApprovalDto, rows: Json | undefined): Html | undefined {
  if (rows === undefined || rows === null) return undefined;
  const shown = Array.isArray(rows) ? rows.length : undefined;
  const isCut = shown !== undefined && total !== undefined && total > shown;
  return markup`<h2>To look at</h2>
${isCut ? markup`<p class="quiet">${shownNumber(shown)} of ${shownNumber(total)} rows; <code>preview_limit</code> of the playbook says how many are shown.</p>` : undefined}
${dataView(rows)}`;
}

function actionOf({ action, edits, effects_behind: behind }: ApprovalDto): Html {
  const text = effectsBehindText(behind, heldStep(action));
  const also = text === undefined ? undefined : markup`<p class="quiet">${text}</p>`;
  if (action === undefined || action === null) return markup`${also}`;
  const { step, action: name, params } = isJsonObject(action) ? action : {};
  const { connector, endpoint } = isJsonObject(params) ? params : {};
  const what = [
    textIn(name),
    [connector, endpoint].map(textIn).filter(Boolean).join(', '),
    textIn(step) === '' ? '' : `in the step ${textIn(step)}`,
  ].filter((part) => part !== '');
  return markup`<h2>What will be done</h2>
<p>${what.join(' ') || 'The action behind this step'}${edits === undefined || edits === null ? '' : ', as it was edited'}.</p>
<details><summary>The call as it will be made</summary>
${textOf(action)}
</details>
${also}`;
}

/** Edited inputs, shown so that the call is not taken for the earlier one. */
function editedOf({ edited = [] }: ApprovalDto): Html | undefined {
  if (edited.length === 0) return undefined;
  return markup`<h2>Edited inputs</h2>
${edited.map(({ step, inputs }) => markup`<p class="missing">The inputs of ${step} are edited:</p>${textOf(inputs)}`)}`;
}

/** Lists effects after a rejection and after a time-out beside the buttons, if the run continues. */
function withoutYesOf(approval: ApprovalDto): Html {
  return markup`<ul>${withoutYesTexts(approval).map((text) => markup`<li>${capitalize(text)}.</li>`)}</ul>`;
}

/** The call of a request that is over; it need not be the call that is made. */
function pastActionOf({ action }: ApprovalDto): Html | undefined {
  if (action === undefined || action === null) return undefined;
  return markup`<details><summary>The call that was asked about</summary>
${textOf(action)}
</details>`;
}

function textIn(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}

/** Around everything, so that the buttons stay in sight while what they are about is read. */
function formOf({ decide_at, user, allowed_decisions: decisions }: LinkedApprovalDto, about: Html): Html {
  const buttons = {
    approve: markup`<button type="button" value="approve">Approve as ${user}</button>`,
    reject: markup`<button type="button" value="reject" class="no">Reject</button>`,
  };
  const signIn = markup`<fieldset hidden disabled>
<legend>Sign in to decide</legend>
<label>Handle <input name="handle" value="${user}" autocomplete="username" readonly></label>
<label>Password <input name="password" type="password" autocomplete="current-password" required></label>
</fieldset>`;
  return markup`<form data-at="${decide_at}">
${about}
<label>Words for the run
<small>Not needed. The steps behind this gate read them.</small>
<textarea name="instructions" rows="3" maxlength="20000"></textarea></label>
${signIn}
<noscript><p>This page needs JavaScript. Programs POST {"decision": "${decisions[0]}"} to ${decide_at}.</p></noscript>
<div class="bar"><output></output>
${decisions.map((decision) => buttons[decision])}</div>
</form>`;
}
