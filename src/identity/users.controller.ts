import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Identity } from '../access/identity';
import { Needs } from '../access/rules';
import { AuditsItself } from '../audit/audit.interceptor';
import { ApiProblems } from '../http/api-docs';
import { CurrentCaller } from '../http/caller';
import { IdPipe } from '../http/ids';
import { Idempotent, OnceOnly } from '../http/idempotency/idempotent';
import type { Once } from '../http/idempotency/once';
import { pageBody } from '../shared/views';
import { AdministrationService } from './administration.service';
import { MintedLinkDto } from './dto/auth.dto';
import { SetScopesDto, UserDto, UserListDto, UserQuery } from './dto/user.dto';
import { Origin, type RequestOrigin } from './request-origin';
import { userView } from './views';

/** Accounts for administrators, without their contents. */
@ApiTags('users')
@Controller('users')
export class UsersController {
  constructor(private readonly administration: AdministrationService) {}

  @Needs('global:admin')
  @Get()
  @ApiOperation({ summary: 'Accounts, newest first' })
  @ApiOkResponse({ type: UserListDto })
  @ApiProblems()
  async list(@Query() query: UserQuery): Promise<UserListDto> {
    return pageBody(await this.administration.list(query), userView);
  }

  @Needs('global:admin')
  @Get(':userId')
  @ApiOperation({ summary: 'One account' })
  @ApiOkResponse({ type: UserDto })
  @ApiProblems(404)
  async get(@Param('userId', IdPipe) userId: string): Promise<UserDto> {
    return userView(await this.administration.get(userId));
  }

  @Needs('global:admin')
  @Post(':userId/scopes')
  @Idempotent()
  @HttpCode(200)
  @AuditsItself()
  @ApiOperation({ summary: 'Give an account its scopes', description: 'The scopes apply from the next call.' })
  @ApiOkResponse({ type: UserDto })
  @ApiProblems(404, 409)
  setScopes(
    @CurrentCaller() who: Identity,
    @Param('userId', IdPipe) userId: string,
    @Body() body: SetScopesDto,
    @Origin() from: RequestOrigin,
    @OnceOnly() once: Once,
  ): Promise<UserDto> {
    return this.administration.setScopes(who, userId, body.scopes, { from, once });
  }

  @Needs('global:admin')
  @Post(':userId/deactivate')
  @Idempotent()
  @HttpCode(200)
  @AuditsItself()
  @ApiOperation({
    summary: 'Take an account out of use',
    description: 'Its sessions, keys, links and service accounts end at once.',
  })
  @ApiOkResponse({ type: UserDto })
  @ApiProblems(404, 409)
  deactivate(
    @CurrentCaller() who: Identity,
    @Param('userId', IdPipe) userId: string,
    @Origin() from: RequestOrigin,
    @OnceOnly() once: Once,
  ): Promise<UserDto> {
    return this.administration.deactivate(who, userId, { from, once });
  }

  @Needs('global:admin')
  @Post(':userId/reactivate')
  @Idempotent()
  @HttpCode(200)
  @AuditsItself()
  @ApiOperation({ summary: 'Let an account be used again', description: 'What was revoked stays revoked.' })
  @ApiOkResponse({ type: UserDto })
  @ApiProblems(404, 409)
  reactivate(
    @CurrentCaller() who: Identity,
    @Param('userId', IdPipe) userId: string,
    @Origin() from: RequestOrigin,
    @OnceOnly() once: Once,
  ): Promise<UserDto> {
    return this.administration.reactivate(who, userId, { from, once });
  }

  @Needs('global:admin')
  @Post(':userId/anonymise')
  @Idempotent()
  @HttpCode(200)
  @AuditsItself()
  @ApiOperation({
    summary: 'Anonymise a deactivated account',
    description: 'Handle and name are removed; its acts stay, under its id.',
  })
  @ApiOkResponse({ type: UserDto })
  @ApiProblems(404, 409)
  anonymise(
    @CurrentCaller() who: Identity,
    @Param('userId', IdPipe) userId: string,
    @Origin() from: RequestOrigin,
    @OnceOnly() once: Once,
  ): Promise<UserDto> {
    return this.administration.anonymise(who, userId, { from, once });
  }

  @Needs('global:admin')
  @Post(':userId/reset-password')
  @Idempotent({ shownOnce: ['url'] })
  @AuditsItself()
  @ApiOperation({ summary: 'A single-use link that sets a new password', description: 'Valid for a day.' })
  @ApiCreatedResponse({ type: MintedLinkDto })
  @ApiProblems(404, 409)
  resetPassword(
    @CurrentCaller() who: Identity,
    @Param('userId', IdPipe) userId: string,
    @Origin() from: RequestOrigin,
    @OnceOnly() once: Once,
  ): Promise<MintedLinkDto> {
    return this.administration.resetPassword(who, userId, { from, once });
  }
}
