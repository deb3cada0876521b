import { Body, Controller, Delete, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiCreatedResponse, ApiNoContentResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Signed } from '../access/rules';
import { SecretVault } from '../../infra/secrets/vault';
import type { SecretInfo } from '../../infra/db/stores/secrets.store';
import { ApiProblems } from '../http/api-docs';
import { Caller, type CallerInfo } from '../http/caller';
import { IdOrSlugPipe } from '../http/ids';
import { PageQuery } from '../http/page';
import { orAbsent, pageBody } from '../shared/views';
import { CreateSecretDto, RotateSecretDto, SecretDto, SecretListDto } from './dto/secret.dto';

/** Values go in and never come out: only activities of the owner's runs read them. */
@ApiTags('secrets')
@Controller('secrets')
export class SecretsController {
  constructor(private readonly vault: SecretVault) {}

  @Signed()
  @Post()
  @ApiOperation({
    summary: 'Store a secret',
    description: 'Connectors name it in their `auth`: `{secret: name}`. The value never comes back.',
  })
  @ApiCreatedResponse({ type: SecretDto })
  @ApiProblems(409)
  async create(@Caller() caller: CallerInfo, @Body() body: CreateSecretDto): Promise<SecretDto> {
    const secret = { value: body.value, allowedHosts: body.allowed_hosts };
    return viewOf(await this.vault.create(caller.ownerId, body.name, secret));
  }

  @Signed()
  @Get()
  @ApiOperation({ summary: 'Names of secrets, in order, without values' })
  @ApiOkResponse({ type: SecretListDto })
  @ApiProblems()
  async list(@Caller() caller: CallerInfo, @Query() query: PageQuery): Promise<SecretListDto> {
    return pageBody(await this.vault.list(caller.ownerId, query), viewOf);
  }

  @Signed()
  @Post(':name/rotate')
  @HttpCode(200)
  @ApiOperation({ summary: 'Give a secret a new value', description: 'Counts from the next call of a connector on.' })
  @ApiOkResponse({ type: SecretDto })
  @ApiProblems(404)
  async rotate(
    @Caller() caller: CallerInfo,
    @Param('name', IdOrSlugPipe) name: string,
    @Body() body: RotateSecretDto,
  ): Promise<SecretDto> {
    return viewOf(
      await this.vault.rotate(caller.ownerId, name, { value: body.value, allowedHosts: body.allowed_hosts }),
    );
  }

  @Signed()
  @Delete(':name')
  @HttpCode(204)
  @ApiOperation({ summary: 'Delete a secret' })
  @ApiNoContentResponse({ description: 'Gone.' })
  @ApiProblems(404)
  async delete(@Caller() caller: CallerInfo, @Param('name', IdOrSlugPipe) name: string): Promise<void> {
    await this.vault.delete(caller.ownerId, name);
  }
}

function viewOf(row: SecretInfo): SecretDto {
  const { name, allowed_hosts, key_id, version, created_at } = row;
  return { name, allowed_hosts, key_id, version, created_at, ...orAbsent({ rotated_at: row.rotated_at }) };
}
