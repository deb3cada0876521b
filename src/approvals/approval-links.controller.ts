import { Body, Controller, Get, Header, Headers, HttpCode, Param, Post, Res } from '@nestjs/common';
import {
  ApiAcceptedResponse,
  ApiExtraModels,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
  getSchemaPath,
} from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Decides, Public } from '../access/rules';
import { ApiProblems } from '../http/api-docs';
import { CurrentCaller, type CallerInfo } from '../http/caller';
import { ApprovalLinksService } from './approval-links.service';
import { answerWithPage, wantsPage } from '../pages/answer';
import { DecisionAnswerDto, LinkedApprovalDto } from './dto/approval-view.dto';
import { DecideByLinkDto } from './dto/decide.dto';

/**
 * Routes whose token is the secret: answers are not cached, and (as everywhere) the address is sent to no other site
 * and never logged.
 */
@ApiTags('approvals')
@Controller('links/approvals')
export class ApprovalLinksController {
  constructor(private readonly links: ApprovalLinksService) {}

  @Public()
  @Get(':token')
  @Header('cache-control', 'no-store')
  @ApiOperation({
    summary: 'What a link is about; reading it decides nothing',
    description: 'A browser gets a page that decides.',
  })
  @ApiExtraModels(LinkedApprovalDto)
  @ApiOkResponse({
    description: 'The request that the link is for.',
    content: {
      'application/json': { schema: { $ref: getSchemaPath(LinkedApprovalDto) } },
      'text/html': { schema: { type: 'string' } },
    },
  })
  @ApiProblems(403, 404)
  async show(
    @Param('token') token: string,
    @Headers('accept') accept: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<LinkedApprovalDto | string> {
    if (!wantsPage(accept)) return this.links.show(token);
    return answerWithPage(reply, () => this.links.page(token));
  }

  @Public()
  @Post(':token')
  @HttpCode(200)
  @Header('cache-control', 'no-store')
  @ApiOperation({ summary: 'Decide by the link alone, where the playbook says `link_only`' })
  @ApiOkResponse({ type: DecisionAnswerDto, description: 'Counted.' })
  @ApiAcceptedResponse({ type: DecisionAnswerDto, description: 'Received; it is delivered as soon as a worker runs.' })
  @ApiProblems(401, 403, 404, 409, 422)
  decide(
    @Param('token') token: string,
    @Body() body: DecideByLinkDto,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<DecisionAnswerDto> {
    return this.answer(token, undefined, body, reply);
  }

  @Decides()
  @Post(':token/decide')
  @HttpCode(200)
  @Header('cache-control', 'no-store')
  @ApiOperation({ summary: 'Decide by a link as the person that it is for' })
  @ApiOkResponse({ type: DecisionAnswerDto, description: 'Counted.' })
  @ApiAcceptedResponse({ type: DecisionAnswerDto, description: 'Received; it is delivered as soon as a worker runs.' })
  @ApiProblems(403, 404, 409, 422)
  decideSigned(
    @CurrentCaller() caller: CallerInfo,
    @Param('token') token: string,
    @Body() body: DecideByLinkDto,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<DecisionAnswerDto> {
    return this.answer(token, caller, body, reply);
  }

  private async answer(
    token: string,
    caller: CallerInfo | undefined,
    body: DecideByLinkDto,
    reply: FastifyReply,
  ): Promise<DecisionAnswerDto> {
    const answer = await this.links.decide(token, caller, body);
    void reply.status(answer.state === 'counted' ? 200 : 202);
    return answer;
  }
}
