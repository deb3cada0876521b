import { Injectable } from '@nestjs/common';
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { isTerminal } from '../../core/base/run-status';
import { AppError } from '../../core/errors/app-error';
import { ApprovalLinksStore, type ApprovalLink, type LinkedRun } from '../../infra/db/stores/approval-links.store';
import { DecisionsStore } from '../../infra/db/stores/decisions.store';
import { notFound } from '../../infra/db/stores/not-found';
import type { Identity } from '../access/identity';
import { PREFIX } from '../app/prefix';
import type { Page } from '../pages/page';
import { refuseLimited } from '../identity/refusals';
import type { CallerInfo } from '../http/caller';
import { ApprovalActsService } from './approval-acts.service';
import { ApprovalsService } from './approvals.service';
import { DecisionService } from './decision.service';
import type { ApprovalLinkDto, DecisionAnswerDto, LinkedApprovalDto } from './dto/approval-view.dto';
import type { DecideByLinkDto } from './dto/decide.dto';
import { approvalPage } from './link-page';
import { useOf } from './link-use';
import { PreviewService } from './preview.service';
import { refusal } from './refusals';

const TOKEN_BYTES = 32;
/** Rows on the page at most. */
const MOST_ROWS = 1_000;

/** One decision by one person, by a link. The token is in the link alone: here and in the database there is its hash. */
@Injectable()
export class ApprovalLinksService {
  constructor(
    private readonly links: ApprovalLinksStore,
    private readonly views: ApprovalsService,
    private readonly acts: ApprovalActsService,
    private readonly decisions: DecisionsStore,
    private readonly decisionService: DecisionService,
    private readonly previews: PreviewService,
  ) {}

  /** A link decides as its person does: a key with limits makes none. Throws `key_is_limited`. */
  async create(caller: Identity, approvalId: string, user: string): Promise<ApprovalLinkDto> {
    refuseLimited(caller);
    const token = randomBytes(TOKEN_BYTES).toString('base64url');
    const id = randomUUID();
    const code = await this.links.create(caller.ownerId, { id, approvalId, user, tokenHash: hashOf(token) });
    if (code === 'approval_not_found') throw notFound('approval', approvalId);
    if (code === 'user_not_found') throw await this.acts.notFound(caller, approvalId, user);
    if (code !== 'ok') throw refusal(code);
    return { id, url: pathOf(token) };
  }

  /** Changes nothing, because mail scanners open links too. */
  async show(token: string): Promise<LinkedApprovalDto> {
    const link = await this.find(token);
    const run = await this.links.run(hashOf(token));
    if (run === null) throw refusal('link_not_found');
    const approval = await this.views.get(asPerson(link), link.approval_id).catch((error: unknown) => {
      throw isUnseen(error) ? rightLost(link, run) : error;
    });
    const { decisions, why } = useOf(link, approval);
    return {
      playbook: { slug: run.playbook_slug, name: run.playbook_name },
      asked_by: run.asked_by,
      user: link.handle,
      usable: why === undefined,
      allowed_decisions: decisions,
      ...(why === undefined ? {} : { unusable_because: why }),
      ...(run.delegated_to === null ? {} : { delegated_to: run.delegated_to }),
      ...(approval.status === 'cancelled' && isTerminal(run.run_status) ? { run_ended: run.run_status } : {}),
      decide_at: link.link_only ? pathOf(token) : `${pathOf(token)}/decide`,
      approval,
    };
  }

  /** The same for a page, which has all rows of the preview as far as they can be read. */
  async page(token: string): Promise<Page> {
    const shown = await this.show(token);
    const { approval } = shown;
    if (!Array.isArray(approval.preview)) return approvalPage(shown, approval.preview);
    const { items } = await this.previews.page(asPerson(await this.find(token)), approval.approvalId, {
      limit: MOST_ROWS,
    });
    return approvalPage(shown, items);
  }

  /** `caller`: the person who is signed in. Throws `link_used`, `link_of_another`, `sign_in_first`, or the run's refusal. */
  async decide(token: string, caller: CallerInfo | undefined, answer: DecideByLinkDto): Promise<DecisionAnswerDto> {
    const used = await this.links.use(hashOf(token), caller?.ownerId ?? null, answer);
    if (used.code !== null) throw refusal(used.code);
    const row = await this.decisions.get(used.user_id, used.approval_id, used.decision_id);
    if (row === null) throw refusal('link_not_found');
    return this.decisionService.carry({ row, open: false });
  }

  private async find(token: string): Promise<ApprovalLink> {
    const link = await this.links.find(hashOf(token));
    if (link === null) throw refusal('link_not_found');
    return link;
  }
}

function isUnseen(error: unknown): boolean {
  return error instanceof AppError && error.code === 'approval_not_found';
}

/** Tells people who lost the right to see the request; shows nothing of it. */
function rightLost({ handle }: ApprovalLink, { asked_by: requester }: LinkedRun): AppError {
  return new AppError(
    'not_allowed',
    `${handle} may not decide this request any more: what gave them the right (a delegation, a role, a team) was taken back. Ask ${requester}.`,
    { category: 'forbidden' },
  );
}

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

function pathOf(token: string): string {
  return `/${PREFIX}/links/approvals/${token}`;
}

/** A link shows what its person would see. */
function asPerson({ user_id: ownerId, handle }: ApprovalLink): CallerInfo {
  return { ownerId, actor: handle, via: 'api' };
}
