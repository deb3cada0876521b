import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Decides, Authenticated } from '../access/rules';
import { ApiProblems } from '../http/api-docs';
import { CurrentCaller, type CallerInfo } from '../http/caller';
import { Idempotent } from '../http/idempotency/idempotent';
import { IdPipe } from '../http/ids';
import { PageQuery } from '../http/page';
import {
  BulkDecideDto,
  BulkDecidedListDto,
  CheckAnswerDto,
  CheckEditsDto,
  InboxSummaryDto,
  PreviewPageDto,
} from './dto/inbox.dto';
import { InboxService } from './inbox.service';
import { PreviewService } from './preview.service';

/** Listed before the routes of one approval: `summary` and `bulk` are no ids. */
@ApiTags('approvals')
@Controller('approvals')
export class InboxController {
  constructor(
    private readonly inbox: InboxService,
    private readonly previews: PreviewService,
  ) {}

  @Authenticated()
  @Get('summary')
  @ApiOperation({ summary: 'How much waits, since when, and what is due soon' })
  @ApiOkResponse({ type: InboxSummaryDto })
  @ApiProblems()
  summary(@CurrentCaller() caller: CallerInfo): Promise<InboxSummaryDto> {
    return this.inbox.summary(caller);
  }

  @Decides()
  @Post('bulk')
  @HttpCode(200)
  @Idempotent()
  @ApiOperation({
    summary: 'Decide several requests',
    description:
      'Each decision is handled as if it came alone and gets an answer of its own; one that is refused does not stop the others.',
  })
  @ApiOkResponse({ type: BulkDecidedListDto })
  @ApiProblems(403)
  decideMany(@CurrentCaller() caller: CallerInfo, @Body() body: BulkDecideDto): Promise<BulkDecidedListDto> {
    return this.inbox.decide(caller, body);
  }

  @Authenticated()
  @Get(':approvalId/preview')
  @ApiOperation({ summary: 'All rows behind the preview, page by page' })
  @ApiOkResponse({ type: PreviewPageDto })
  @ApiProblems(404)
  preview(
    @CurrentCaller() caller: CallerInfo,
    @Param('approvalId', IdPipe) approvalId: string,
    @Query() query: PageQuery,
  ): Promise<PreviewPageDto> {
    return this.previews.page(caller, approvalId, query);
  }

  @Authenticated()
  @Post(':approvalId/check')
  @HttpCode(200)
  @ApiOperation({ summary: 'Would a decision with these edits be accepted?', description: 'Changes nothing.' })
  @ApiOkResponse({ type: CheckAnswerDto })
  @ApiProblems(404)
  check(
    @CurrentCaller() caller: CallerInfo,
    @Param('approvalId', IdPipe) approvalId: string,
    @Body() body: CheckEditsDto,
  ): Promise<CheckAnswerDto> {
    return this.inbox.check(caller, approvalId, body);
  }
}
