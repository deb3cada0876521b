import { Controller, Delete, Get, HttpCode, Param, Query } from '@nestjs/common';
import { ApiNoContentResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { SeenVersion } from '../../infra/db/row-version';
import { SessionsStore } from '../../infra/db/stores/identity/sessions.store';
import { Authenticator } from '../access/authenticator';
import type { Identity } from '../access/identity';
import { Authenticated } from '../access/rules';
import { ApiProblems } from '../http/api-docs';
import { CurrentCaller } from '../http/caller';
import { IdPipe } from '../http/ids';
import { PageQuery } from '../http/page';
import { ChangesVersion, IfMatch } from '../http/versions';
import { pageBody } from '../shared/views';
import { AccountsService } from './accounts.service';
import { MeDto, SessionListDto } from './dto/user.dto';
import { checkOnlyVersion } from './only-version';
import { notFound } from './refusals';
import { sessionView, userView } from './views';

@ApiTags('users')
@Controller('users/me')
export class MeController {
  constructor(
    private readonly accounts: AccountsService,
    private readonly sessions: SessionsStore,
    private readonly authenticator: Authenticator,
  ) {}

  @Authenticated()
  @Get()
  @ApiOperation({ summary: 'Who you are, and what this credential may' })
  @ApiOkResponse({ type: MeDto })
  @ApiProblems()
  async get(@CurrentCaller() who: Identity): Promise<MeDto> {
    const user = await this.accounts.me(who.ownerId);
    const { means, credentialId: id, readOnly: read_only, mayDecide: may_decide } = who;
    return { ...userView(user), credential: { means, id, scopes: [...who.scopes], read_only, may_decide } };
  }

  @Authenticated()
  @Get('sessions')
  @ApiOperation({ summary: 'Your sessions, newest first' })
  @ApiOkResponse({ type: SessionListDto })
  @ApiProblems()
  async listSessions(@CurrentCaller() who: Identity, @Query() query: PageQuery): Promise<SessionListDto> {
    return pageBody(await this.sessions.list(who.ownerId, query), (row) => sessionView(row, who.credentialId));
  }

  @Authenticated()
  @Delete('sessions/:sessionId')
  @HttpCode(204)
  @ApiOperation({ summary: 'End one of your sessions' })
  @ApiNoContentResponse({ description: 'Ended.' })
  @ChangesVersion()
  async revokeSession(
    @CurrentCaller() who: Identity,
    @Param('sessionId', IdPipe) sessionId: string,
    @IfMatch() seen: SeenVersion,
  ): Promise<void> {
    if (!(await this.sessions.isOpen(who.ownerId, sessionId))) throw notFound('session', sessionId);
    checkOnlyVersion(sessionId, seen);
    if (!(await this.sessions.revoke(who.ownerId, sessionId, 'revoked'))) throw notFound('session', sessionId);
    this.authenticator.forget();
  }
}
