import { Body, Controller, Delete, Get, HttpCode, Param, Post, Query, Res } from '@nestjs/common';
import { ApiCreatedResponse, ApiNoContentResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import type { SeenVersion } from '../../infra/db/row-version';
import type { Identity } from '../access/identity';
import { Authenticated } from '../access/rules';
import { AuditsItself } from '../audit/audit.interceptor';
import { ApiProblems } from '../http/api-docs';
import { CurrentCaller } from '../http/caller';
import { IdPipe } from '../http/ids';
import { PageQuery } from '../http/page';
import { Idempotent, OnceOnly } from '../http/idempotency/idempotent';
import type { Once } from '../http/idempotency/once';
import { ChangesVersion, IfMatch } from '../http/versions';
import { pageBody } from '../shared/views';
import { ApiKeysService } from './api-keys.service';
import { ApiKeyListDto, CreateApiKeyDto, CreatedApiKeyDto } from './dto/api-key.dto';
import { CreateServiceAccountDto, UserDto, UserListDto } from './dto/user.dto';
import { Origin, type RequestOrigin } from './request-origin';
import { ServiceAccountsService } from './service-accounts.service';
import { keyView, userView } from './views';

@ApiTags('service-accounts')
@Controller('service-accounts')
export class ServiceAccountsController {
  constructor(
    private readonly accounts: ServiceAccountsService,
    private readonly keys: ApiKeysService,
  ) {}

  @Authenticated()
  @Post()
  @Idempotent()
  @AuditsItself()
  @ApiOperation({
    summary: 'Make an account for a program',
    description: 'It has rows of its own, no password, and signs in by the keys that you make for it.',
  })
  @ApiCreatedResponse({ type: UserDto })
  @ApiProblems(409)
  create(
    @CurrentCaller() who: Identity,
    @Body() body: CreateServiceAccountDto,
    @Origin() from: RequestOrigin,
    @OnceOnly() once: Once,
  ): Promise<UserDto> {
    return this.accounts.create(who, body, { from, once });
  }

  @Authenticated()
  @Get()
  @ApiOperation({ summary: 'Service accounts that you made, newest first' })
  @ApiOkResponse({ type: UserListDto })
  @ApiProblems()
  async list(@CurrentCaller() who: Identity, @Query() query: PageQuery): Promise<UserListDto> {
    return pageBody(await this.accounts.list(who.ownerId, query), userView);
  }

  @Authenticated()
  @Get(':accountId')
  @ApiOperation({ summary: 'One of your service accounts' })
  @ApiOkResponse({ type: UserDto })
  @ApiProblems(404)
  async get(@CurrentCaller() who: Identity, @Param('accountId', IdPipe) accountId: string): Promise<UserDto> {
    return userView(await this.accounts.get(who.ownerId, accountId));
  }

  @Authenticated()
  @Delete(':accountId')
  @HttpCode(204)
  @AuditsItself()
  @ApiOperation({ summary: 'Deactivate a service account', description: 'Its keys are refused from now on.' })
  @ApiNoContentResponse({ description: 'Deactivated.' })
  @ChangesVersion()
  async deactivate(
    @CurrentCaller() who: Identity,
    @Param('accountId', IdPipe) accountId: string,
    @IfMatch() seen: SeenVersion,
    @Origin() from: RequestOrigin,
  ): Promise<void> {
    await this.accounts.deactivate(who, { id: accountId, seen }, from.requestId);
  }

  @Authenticated()
  @Post(':accountId/api-keys')
  @Idempotent({ shownOnce: ['key'] })
  @AuditsItself()
  @ApiOperation({ summary: 'Make an API key for a service account' })
  @ApiCreatedResponse({ type: CreatedApiKeyDto })
  @ApiProblems(404, 422)
  async createKey(
    @CurrentCaller() who: Identity,
    @Param('accountId', IdPipe) accountId: string,
    @Body() body: CreateApiKeyDto,
    @Origin() from: RequestOrigin,
    @OnceOnly() once: Once,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<CreatedApiKeyDto> {
    const account = await this.accounts.get(who.ownerId, accountId);
    void reply.header('cache-control', 'no-store');
    return this.keys.create(who, account, body, { from, once });
  }

  @Authenticated()
  @Get(':accountId/api-keys')
  @ApiOperation({ summary: 'API keys of a service account, newest first' })
  @ApiOkResponse({ type: ApiKeyListDto })
  @ApiProblems(404)
  async listKeys(
    @CurrentCaller() who: Identity,
    @Param('accountId', IdPipe) accountId: string,
    @Query() query: PageQuery,
  ): Promise<ApiKeyListDto> {
    const { id } = await this.accounts.get(who.ownerId, accountId);
    return pageBody(await this.keys.list(id, query), keyView);
  }

  @Authenticated()
  @Delete(':accountId/api-keys/:keyId')
  @HttpCode(204)
  @AuditsItself()
  @ApiOperation({ summary: 'Revoke an API key of a service account' })
  @ApiNoContentResponse({ description: 'Revoked.' })
  @ChangesVersion()
  async revokeKey(
    @CurrentCaller() who: Identity,
    @Param('accountId', IdPipe) accountId: string,
    @Param('keyId', IdPipe) keyId: string,
    @IfMatch() seen: SeenVersion,
    @Origin() from: RequestOrigin,
  ): Promise<void> {
    const { id } = await this.accounts.get(who.ownerId, accountId);
    await this.keys.revoke(who, { ownerId: id, id: keyId, seen }, from.requestId);
  }
}
