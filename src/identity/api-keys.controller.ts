import { Body, Controller, Delete, Get, HttpCode, Param, Post, Query, Res } from '@nestjs/common';
import { ApiCreatedResponse, ApiNoContentResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import type { SeenVersion } from '../../infra/db/row-version';
import type { Identity } from '../access/identity';
import { Signed } from '../access/rules';
import { AuditsItself } from '../audit/audit.interceptor';
import { ApiProblems } from '../http/api-docs';
import { Who } from '../http/caller';
import { IdPipe } from '../http/ids';
import { PageQuery } from '../http/page';
import { Idempotent, OnceOnly } from '../http/idempotency/idempotent';
import type { Once } from '../http/idempotency/once';
import { ChangesVersion, IfMatch } from '../http/versions';
import { pageBody } from '../shared/views';
import { ApiKeysService } from './api-keys.service';
import { ApiKeyDto, ApiKeyListDto, CreateApiKeyDto, CreatedApiKeyDto } from './dto/api-key.dto';
import { From, type Origin } from './origin';
import { keyView } from './views';

@ApiTags('api-keys')
@Controller('api-keys')
export class ApiKeysController {
  constructor(private readonly keys: ApiKeysService) {}

  @Signed()
  @Post()
  @Idempotent({ shownOnce: ['key'] })
  @AuditsItself()
  @ApiOperation({ summary: 'Make an API key', description: 'The answer shows it, and nothing shows it again.' })
  @ApiCreatedResponse({ type: CreatedApiKeyDto })
  @ApiProblems(422)
  async create(
    @Who() who: Identity,
    @Body() body: CreateApiKeyDto,
    @From() from: Origin,
    @OnceOnly() once: Once,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<CreatedApiKeyDto> {
    void reply.header('cache-control', 'no-store');
    return this.keys.create(who, { id: who.ownerId, scopes: who.scopes }, body, { from, once });
  }

  @Signed()
  @Get()
  @ApiOperation({ summary: 'Your API keys, newest first' })
  @ApiOkResponse({ type: ApiKeyListDto })
  @ApiProblems()
  async list(@Who() who: Identity, @Query() query: PageQuery): Promise<ApiKeyListDto> {
    return pageBody(await this.keys.list(who.ownerId, query), keyView);
  }

  @Signed()
  @Get(':keyId')
  @ApiOperation({ summary: 'One of your API keys' })
  @ApiOkResponse({ type: ApiKeyDto })
  @ApiProblems(404)
  async get(@Who() who: Identity, @Param('keyId', IdPipe) keyId: string): Promise<ApiKeyDto> {
    return keyView(await this.keys.get(who.ownerId, keyId));
  }

  @Signed()
  @Delete(':keyId')
  @HttpCode(204)
  @AuditsItself()
  @ApiOperation({ summary: 'Revoke an API key', description: 'It is refused from now on.' })
  @ApiNoContentResponse({ description: 'Revoked.' })
  @ChangesVersion()
  async revoke(
    @Who() who: Identity,
    @Param('keyId', IdPipe) keyId: string,
    @IfMatch() seen: SeenVersion,
    @From() from: Origin,
  ): Promise<void> {
    await this.keys.revoke(who, { ownerId: who.ownerId, id: keyId, seen }, from.requestId);
  }
}
