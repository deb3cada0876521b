import { Body, Controller, Delete, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiCreatedResponse, ApiNoContentResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Authenticated } from '../access/rules';
import { SecretVault } from '../../infra/secrets/vault';
import type { SeenVersion } from '../../infra/db/row-version';
import type { SecretInfo } from '../../infra/db/stores/secrets.store';
import { ApiProblems } from '../http/api-docs';
import { CurrentCaller, type CallerInfo } from '../http/caller';
import { IdOrSlugPipe } from '../http/ids';
import { versioned, type VersionedBody } from '../http/etag';
import { Idempotent, OnceOnly } from '../http/idempotency/idempotent';
import type { Once } from '../http/idempotency/once';
import { ChangesVersion, IfMatch, ReadsVersion, ShowsVersion } from '../http/versions';
import { withoutNulls, pageBody } from '../shared/views';
import { CreateSecretDto, RotateSecretDto, SecretDto, SecretListDto, SecretListQuery } from './dto/secret.dto';

/** Values go in and never come out: only activities of the owner's runs read them. */
@ApiTags('secrets')
@Controller('secrets')
export class SecretsController {
  constructor(private readonly vault: SecretVault) {}

  @Authenticated()
  @Post()
  @ApiOperation({
    summary: 'Store a secret',
    description: 'Connectors name it in their `auth`: `{secret: name}`. The value never comes back.',
  })
  @ApiCreatedResponse({ type: SecretDto })
  @Idempotent()
  @ShowsVersion()
  @ApiProblems(409)
  create(
    @CurrentCaller() caller: CallerInfo,
    @Body() body: CreateSecretDto,
    @OnceOnly() once: Once,
  ): Promise<VersionedBody<SecretDto>> {
    const secret = { value: body.value, allowedHosts: body.allowed_hosts };
    return once.tx(async (sql) => answerOf(await this.vault.create(caller.ownerId, body.name, secret, sql)));
  }

  @Authenticated()
  @Get()
  @ApiOperation({ summary: 'Names of secrets, in order, without values' })
  @ApiOkResponse({ type: SecretListDto })
  @ApiProblems()
  async list(@CurrentCaller() caller: CallerInfo, @Query() query: SecretListQuery): Promise<SecretListDto> {
    return pageBody(await this.vault.list(caller.ownerId, query), viewOf);
  }

  @Authenticated()
  @Get(':name')
  @ApiOperation({ summary: 'Facts about a secret, without its value' })
  @ApiOkResponse({ type: SecretDto })
  @ReadsVersion()
  @ApiProblems(404)
  async get(
    @CurrentCaller() caller: CallerInfo,
    @Param('name', IdOrSlugPipe) name: string,
  ): Promise<VersionedBody<SecretDto>> {
    return answerOf(await this.vault.info(caller.ownerId, name));
  }

  @Authenticated()
  @Post(':name/rotate')
  @HttpCode(200)
  @ApiOperation({ summary: 'Give a secret a new value', description: 'Counts from the next call of a connector on.' })
  @ApiOkResponse({ type: SecretDto })
  @Idempotent()
  @ShowsVersion()
  @ApiProblems(404)
  rotate(
    @CurrentCaller() caller: CallerInfo,
    @Param('name', IdOrSlugPipe) name: string,
    @Body() body: RotateSecretDto,
    @OnceOnly() once: Once,
  ): Promise<VersionedBody<SecretDto>> {
    const secret = { value: body.value, allowedHosts: body.allowed_hosts };
    return once.tx(async (sql) => answerOf(await this.vault.rotate(caller.ownerId, name, secret, sql)));
  }

  @Authenticated()
  @Delete(':name')
  @HttpCode(204)
  @ApiOperation({ summary: 'Delete a secret' })
  @ApiNoContentResponse({ description: 'Removed.' })
  @ChangesVersion()
  async remove(
    @CurrentCaller() caller: CallerInfo,
    @Param('name', IdOrSlugPipe) name: string,
    @IfMatch() seen: SeenVersion,
  ): Promise<void> {
    await this.vault.delete(caller.ownerId, name, seen);
  }
}

function answerOf(row: SecretInfo): VersionedBody<SecretDto> {
  return versioned(viewOf(row), row);
}

function viewOf(row: SecretInfo): SecretDto {
  const { name, allowed_hosts, key_id, version, created_at } = row;
  return { name, allowed_hosts, key_id, version, created_at, ...withoutNulls({ rotated_at: row.rotated_at }) };
}
