import { Injectable } from '@nestjs/common';
import { AppError } from '../../core/errors/app-error';
import { editProblem } from '../../infra/approvals/edit-check';
import { ApprovalActsStore } from '../../infra/db/stores/approval-acts.store';
import { ApprovalsStore } from '../../infra/db/stores/approvals.store';
import { notFound } from '../../infra/db/stores/not-found';
import type { CallerInfo, Identity } from '../access/identity';
import { ApprovalsService } from './approvals.service';
import { shownDigest } from './approval-views';
import type { ApprovalDto, PeopleDto } from './dto/approval-view.dto';
import type { EditApprovalDto } from './dto/decide.dto';
import { personNotFound, refusal } from './refusals';

const MOST_PEOPLE = 20;
/** Number of people with which an unknown name is compared. */
const MOST_COMPARED = 1_000;

/** Acts on a waiting request beside its decision. Each gives the request afterwards. */
@Injectable()
export class ApprovalActsService {
  constructor(
    private readonly views: ApprovalsService,
    private readonly approvals: ApprovalsStore,
    private readonly acts: ApprovalActsStore,
  ) {}

  /** Throws `invalid_edits`, `digest_required`, `approval_changed` with the digest that counts, or why the caller may not. */
  async edit(caller: Identity, approvalId: string, { edits, digest }: EditApprovalDto): Promise<ApprovalDto> {
    const approval = await this.approvals.require(caller.ownerId, approvalId);
    const problem = editProblem(approval.edit_schema, edits);
    if (problem !== undefined) {
      throw new AppError('invalid_edits', `The edited inputs do not fit the action: ${problem}`, {
        category: 'validation',
      });
    }
    if (approval.owner_id !== caller.ownerId) await this.refuseKey(caller, approvalId);
    const code = await this.acts.edit(caller.ownerId, approvalId, { edits, digest: digest ?? '' });
    return this.after(
      caller,
      approvalId,
      code === 'approval_changed' && digest === undefined ? 'digest_required' : code,
    );
  }

  async delegate(caller: Identity, approvalId: string, to: string): Promise<ApprovalDto> {
    await this.refuseKey(caller, approvalId);
    const code = await this.acts.delegate(caller.ownerId, approvalId, to);
    if (code === 'user_not_found') throw await this.notFound(caller, approvalId, to);
    return this.after(caller, approvalId, code);
  }

  async comment(caller: Identity, approvalId: string, text: string): Promise<ApprovalDto> {
    return this.after(caller, approvalId, await this.acts.comment(caller.ownerId, approvalId, text));
  }

  async people(caller: CallerInfo, text: string, limit = MOST_PEOPLE): Promise<PeopleDto> {
    const people = await this.acts.people(caller.ownerId, text, limit);
    return { items: people.map(({ id, handle, display_name: name }) => ({ id, handle, name })) };
  }

  /** Compared with the people of the request, and with those that share a team with the caller: no others may be mentioned. */
  async notFound(caller: CallerInfo, approvalId: string, given: string): Promise<AppError> {
    const [{ rules }, people] = await Promise.all([
      this.views.get(caller, approvalId),
      this.acts.people(caller.ownerId, '', MOST_COMPARED),
    ]);
    const asked = rules.approvers.flatMap(({ kind, name }) => (kind === 'user' ? [name] : []));
    return personNotFound(given, new Set([...asked, caller.actor, ...people.map(({ handle }) => handle)]));
  }

  /** Throws where the key's own rights do not suffice: they are narrower than those of its owner. */
  private async refuseKey({ ownerId, keyId }: CallerInfo, approvalId: string): Promise<void> {
    if (keyId === undefined) return;
    const [byKey, byOwner] = await Promise.all([
      this.acts.refusal(ownerId, approvalId, keyId),
      this.acts.refusal(ownerId, approvalId),
    ]);
    if (byKey !== null && byKey !== byOwner) throw refusal(byKey);
  }

  private async after(caller: Identity, approvalId: string, code: string): Promise<ApprovalDto> {
    if (code === 'approval_not_found') throw notFound('approval', approvalId);
    if (code === 'ok') return this.views.get(caller, approvalId);
    if (code !== 'approval_changed') throw refusal(code);
    const row = await this.approvals.require(caller.ownerId, approvalId);
    throw refusal(code, { digest: shownDigest(row) });
  }
}
