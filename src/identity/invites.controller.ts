import { Body, Controller, Delete, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiCreatedResponse, ApiNoContentResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { SeenVersion } from '../../infra/db/row-version';
import type { Identity } from '../access/identity';
import { Needs } from '../access/rules';
import { AuditsItself } from '../audit/audit.interceptor';
import { ApiProblems } from '../http/api-docs';
import { CurrentCaller } from '../http/caller';
import { IdPipe } from '../http/ids';
import { PageQuery } from '../http/page';
import { Idempotent, OnceOnly } from '../http/idempotency/idempotent';
import type { Once } from '../http/idempotency/once';
import { ChangesVersion, IfMatch } from '../http/versions';
import { pageBody } from '../shared/views';
import { AdministrationService } from './administration.service';
import { CreatedInviteDto, CreateInviteDto, InviteListDto } from './dto/user.dto';
import { Origin, type RequestOrigin } from './request-origin';
import { inviteView } from './views';

@ApiTags('invites')
@Controller('invites')
export class InvitesController {
  constructor(private readonly administration: AdministrationService) {}

  @Needs('global:admin')
  @Post()
  @Idempotent({ shownOnce: ['url'] })
  @AuditsItself()
  @ApiOperation({ summary: 'Invite somebody', description: 'The answer has the link, and nothing shows it again.' })
  @ApiCreatedResponse({ type: CreatedInviteDto })
  @ApiProblems()
  create(
    @CurrentCaller() who: Identity,
    @Body() body: CreateInviteDto,
    @Origin() from: RequestOrigin,
    @OnceOnly() once: Once,
  ): Promise<CreatedInviteDto> {
    return this.administration.invite(who, body, { from, once });
  }

  @Needs('global:admin')
  @Get()
  @ApiOperation({ summary: 'Your invitations, newest first' })
  @ApiOkResponse({ type: InviteListDto })
  @ApiProblems()
  async list(@CurrentCaller() who: Identity, @Query() query: PageQuery): Promise<InviteListDto> {
    return pageBody(await this.administration.listInvites(who.ownerId, query), inviteView);
  }

  @Needs('global:admin')
  @Delete(':inviteId')
  @HttpCode(204)
  @AuditsItself()
  @ApiOperation({ summary: 'Take an invitation back' })
  @ApiNoContentResponse({ description: 'Taken back.' })
  @ChangesVersion()
  async revoke(
    @CurrentCaller() who: Identity,
    @Param('inviteId', IdPipe) inviteId: string,
    @IfMatch() seen: SeenVersion,
    @Origin() from: RequestOrigin,
  ): Promise<void> {
    await this.administration.revokeInvite(who, { id: inviteId, seen }, from.requestId);
  }
}
