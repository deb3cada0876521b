import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Identity } from '../access/identity';
import { Decides, Authenticated } from '../access/rules';
import { ApiProblems } from '../http/api-docs';
import { CurrentCaller, type CallerInfo } from '../http/caller';
import { Idempotent } from '../http/idempotency/idempotent';
import { IdPipe } from '../http/ids';
import { ApprovalActsService } from './approval-acts.service';
import { ApprovalLinksService } from './approval-links.service';
import { ApprovalDto, ApprovalLinkDto, PeopleDto } from './dto/approval-view.dto';
import { CommentApprovalDto, CreateApprovalLinkDto, DelegateApprovalDto, EditApprovalDto } from './dto/decide.dto';
import { PeopleQuery } from './dto/people-query.dto';

@ApiTags('approvals')
@Controller()
export class ApprovalActsController {
  constructor(
    private readonly acts: ApprovalActsService,
    private readonly links: ApprovalLinksService,
  ) {}

  @Decides()
  @Post('approvals/:approvalId/edit')
  @HttpCode(200)
  @Idempotent()
  @ApiOperation({
    summary: 'Change inputs of the gated action for everybody who decides',
    description: 'Gives the request a new digest and clears what was approved so far.',
  })
  @ApiOkResponse({ type: ApprovalDto })
  @ApiProblems(403, 404, 409, 422)
  edit(
    @CurrentCaller() caller: Identity,
    @Param('approvalId', IdPipe) approvalId: string,
    @Body() body: EditApprovalDto,
  ): Promise<ApprovalDto> {
    return this.acts.edit(caller, approvalId, body);
  }

  @Decides()
  @Post('approvals/:approvalId/delegate')
  @HttpCode(200)
  @Idempotent()
  @ApiOperation({
    summary: 'Hand your right to decide to another person',
    description: 'Gives no more than your own right, which that person cannot pass on. Naming yourself takes it back.',
  })
  @ApiOkResponse({ type: ApprovalDto })
  @ApiProblems(403, 404, 409, 422)
  delegate(
    @CurrentCaller() caller: Identity,
    @Param('approvalId', IdPipe) approvalId: string,
    @Body() { to }: DelegateApprovalDto,
  ): Promise<ApprovalDto> {
    return this.acts.delegate(caller, approvalId, to);
  }

  @Authenticated()
  @Post('approvals/:approvalId/comment')
  @HttpCode(200)
  @Idempotent()
  @ApiOperation({ summary: 'Say something about a request to all who see it' })
  @ApiOkResponse({ type: ApprovalDto })
  @ApiProblems(404, 409, 422)
  comment(
    @CurrentCaller() caller: Identity,
    @Param('approvalId', IdPipe) approvalId: string,
    @Body() { text }: CommentApprovalDto,
  ): Promise<ApprovalDto> {
    return this.acts.comment(caller, approvalId, text);
  }

  @Decides()
  @Post('approvals/:approvalId/links')
  @Idempotent({ shownOnce: ['url'] })
  @ApiOperation({
    summary: 'A link by which one person decides, once',
    description:
      'The token is shown only in this answer. The link ends with the request, or when the request is edited.',
  })
  @ApiCreatedResponse({ type: ApprovalLinkDto })
  @ApiProblems(403, 404, 409, 422)
  link(
    @CurrentCaller() caller: Identity,
    @Param('approvalId', IdPipe) approvalId: string,
    @Body() { user }: CreateApprovalLinkDto,
  ): Promise<ApprovalLinkDto> {
    return this.links.create(caller, approvalId, user);
  }

  @Authenticated()
  @Get('people')
  @ApiOperation({ summary: 'Members of your teams by the beginning of their name, and anybody by the exact handle' })
  @ApiOkResponse({ type: PeopleDto })
  @ApiProblems()
  people(@CurrentCaller() caller: CallerInfo, @Query() { q, limit }: PeopleQuery): Promise<PeopleDto> {
    return this.acts.people(caller, q, limit);
  }
}
