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
import { ApiKeyDto, ApiKeyListDto, CreateApiKeyDto, CreatedApiKeyDto } from './dto/api-key.dto';
import { Origin, type RequestOrigin } from './request-origin';
import { keyView } from './views';

@ApiTags('api-keys')
@Controller('api-keys')
export class ApiKeysController {
  constructor(private readonly keys: ApiKeysService) {}

  @Authenticated()
  @Post()
  @Idempotent({ shownOnce: ['key'] })
  @AuditsItself()
  @ApiOperation({ summary: 'Make an API key', description: 'The answer shows it, and nothing shows it again.' })
  @ApiCreatedResponse({ type: CreatedApiKeyDto })
  @ApiProblems(422)
  async create(
    @CurrentCaller() who: Identity,
    @Body() body: CreateApiKeyDto,
    @Origin() from: RequestOrigin,
    @OnceOnly() once: Once,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<CreatedApiKeyDto> {
    void reply.header('cache-control', 'no-store');
    return this.keys.create(who, { id: who.ownerId, scopes: who.scopes }, body, { from, once });
  }

  @Authenticated()
  @Get()
  @ApiOperation({ summary: 'Your API keys, newest first' })
  @ApiOkResponse({ type: ApiKeyListDto })
  @ApiProblems()
  async list(@CurrentCaller() who: Identity, @Query() query: PageQuery): Promise<ApiKeyListDto> {
    return pageBody(await this.keys.list(who.ownerId, query), keyView);
  }

  @Authenticated()
  @Get(':keyId')
  @ApiOperation({ summary: 'One of your API keys' })
  @ApiOkResponse({ type: ApiKeyDto })
  @ApiProblems(404)
  async get(@CurrentCaller() who: Identity, @Param('keyId', IdPipe) keyId: string): Promise<ApiKeyDto> {
    return keyView(await this.keys.get(who.ownerId, keyId));
  }

  @Authenticated()
  @Delete(':keyId')
  @HttpCode(204)
  @AuditsItself()
  @ApiOperation({ summary: 'Revoke an API key', description: 'It is refused from now on.' })
  @ApiNoContentResponse({ description: 'Revoked.' })
  @ChangesVersion()
  async revoke(
    @CurrentCaller() who: Identity,
    @Param('keyId', IdPipe) keyId: string,
    @IfMatch() seen: SeenVersion,
    @Origin() from: RequestOrigin,
  ): Promise<void> {
    await this.keys.revoke(who, { ownerId: who.ownerId, id: keyId, seen }, from.requestId);
  }
}
