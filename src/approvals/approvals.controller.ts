import { Body, Controller, Get, HttpCode, Param, Post, Query, Res } from '@nestjs/common';
import { ApiAcceptedResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import type { Identity } from '../access/identity';
import { Decides, Authenticated } from '../access/rules';
import { ApiProblems } from '../http/api-docs';
import { CurrentCaller, type CallerInfo } from '../http/caller';
import { Idempotent } from '../http/idempotency/idempotent';
import { IdPipe } from '../http/ids';
import { ReadsVersion } from '../http/versions';
import { ApprovalsService } from './approvals.service';
import { DecisionService, type DecisionRequest } from './decision.service';
import { ApprovalDto, ApprovalListDto, DecisionAnswerDto } from './dto/approval-view.dto';
import { ApprovalListQuery, DecideDto } from './dto/decide.dto';

const ROAD =
  'The decision is kept first, then handed to the run. Of several at once exactly one counts; the same `decisionId` always gets its first answer.';

@ApiTags('approvals')
@Controller('approvals')
export class ApprovalsController {
  constructor(
    private readonly approvals: ApprovalsService,
    private readonly decisions: DecisionService,
  ) {}

  @Authenticated()
  @Get()
  @ApiOperation({ summary: 'Requests for a decision, newest first' })
  @ApiOkResponse({ type: ApprovalListDto })
  @ApiProblems()
  list(@CurrentCaller() caller: CallerInfo, @Query() query: ApprovalListQuery): Promise<ApprovalListDto> {
    return this.approvals.list(caller, query);
  }

  @Authenticated()
  @Get(':approvalId')
  @ApiOperation({ summary: 'One request with its preview and every decision that came in' })
  @ApiOkResponse({ type: ApprovalDto })
  @ReadsVersion()
  @ApiProblems(404)
  get(@CurrentCaller() caller: Identity, @Param('approvalId', IdPipe) approvalId: string): Promise<ApprovalDto> {
    return this.approvals.get(caller, approvalId);
  }

  @Decides()
  @Post(':approvalId/approve')
  @HttpCode(200)
  @Idempotent()
  @ApiOperation({ summary: 'Approve', description: ROAD })
  @ApiOkResponse({ type: DecisionAnswerDto, description: 'Counted.' })
  @ApiAcceptedResponse({ type: DecisionAnswerDto, description: 'Received; it is delivered as soon as a worker runs.' })
  @ApiProblems(403, 404, 409, 422)
  approve(
    @CurrentCaller() caller: CallerInfo,
    @Param('approvalId', IdPipe) approvalId: string,
    @Body() body: DecideDto,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<DecisionAnswerDto> {
    return this.decide(caller, { approvalId, decision: 'approve', ...body }, reply);
  }

  @Decides()
  @Post(':approvalId/reject')
  @HttpCode(200)
  @Idempotent()
  @ApiOperation({ summary: 'Reject', description: ROAD })
  @ApiOkResponse({ type: DecisionAnswerDto, description: 'Counted.' })
  @ApiAcceptedResponse({ type: DecisionAnswerDto, description: 'Received; it is delivered as soon as a worker runs.' })
  @ApiProblems(403, 404, 409, 422)
  reject(
    @CurrentCaller() caller: CallerInfo,
    @Param('approvalId', IdPipe) approvalId: string,
    @Body() body: DecideDto,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<DecisionAnswerDto> {
    return this.decide(caller, { approvalId, decision: 'reject', ...body }, reply);
  }

  private async decide(caller: CallerInfo, decision: DecisionRequest, reply: FastifyReply): Promise<DecisionAnswerDto> {
    const answer = await this.decisions.decide(caller, decision);
    void reply.status(answer.state === 'counted' ? 200 : 202);
    return answer;
  }
}
