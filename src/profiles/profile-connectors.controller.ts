import { Body, Controller, Delete, Get, HttpCode, Param, Post, Put } from '@nestjs/common';
import { ApiCreatedResponse, ApiNoContentResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { SeenVersion } from '../../infra/db/row-version';
import type { Identity } from '../access/identity';
import { Authenticated } from '../access/rules';
import { ApiProblems } from '../http/api-docs';
import { CurrentCaller, type CallerInfo } from '../http/caller';
import type { VersionedBody } from '../http/etag';
import { Idempotent, OnceOnly } from '../http/idempotency/idempotent';
import type { Once } from '../http/idempotency/once';
import { IdPipe } from '../http/ids';
import { ChangesVersion, IfMatch, ShowsVersion } from '../http/versions';
import { BindingsService } from './bindings.service';
import {
  BindConnectorDto,
  ConnectorBindingDto,
  ConnectorBindingFieldsDto,
  ConnectorBindingListDto,
} from './dto/binding.dto';

@ApiTags('profiles')
@Controller('profiles/:id/connectors')
export class ProfileConnectorsController {
  constructor(private readonly bindings: BindingsService) {}

  @Authenticated()
  @Get()
  @ApiOperation({ summary: 'The connectors that a profile of yours uses' })
  @ApiOkResponse({ type: ConnectorBindingListDto })
  @ApiProblems(403, 404)
  list(@CurrentCaller() caller: CallerInfo, @Param('id', IdPipe) id: string): Promise<ConnectorBindingListDto> {
    return this.bindings.listConnectors(caller, id);
  }

  @Authenticated()
  @Post()
  @Idempotent()
  @ShowsVersion()
  @ApiOperation({ summary: 'Let a profile use a connector' })
  @ApiCreatedResponse({ type: ConnectorBindingDto })
  @ApiProblems(403, 404, 409, 422)
  bind(
    @CurrentCaller() who: Identity,
    @Param('id', IdPipe) id: string,
    @Body() body: BindConnectorDto,
    @OnceOnly() once: Once,
  ): Promise<VersionedBody<ConnectorBindingDto>> {
    return this.bindings.bindConnector(who, id, body, once);
  }

  @Authenticated()
  @Put(':connectorId')
  @ChangesVersion()
  @ShowsVersion()
  @ApiOperation({
    summary: 'Change how a profile uses a connector',
    description:
      'Fields that are left out stay as they are. Giving a new address or secret also confirms that the secret may be sent there, unless the request comes with an API key with limits.',
  })
  @ApiOkResponse({ type: ConnectorBindingDto })
  @ApiProblems(403, 404, 412, 428)
  update(
    @CurrentCaller() who: Identity,
    @Param('id', IdPipe) profileId: string,
    @Param('connectorId', IdPipe) connectorId: string,
    @Body() body: ConnectorBindingFieldsDto,
    @IfMatch() seen: SeenVersion,
  ): Promise<VersionedBody<ConnectorBindingDto>> {
    return this.bindings.updateConnector(who, { profileId, connectorId }, body, seen);
  }

  @Authenticated()
  @Delete(':connectorId')
  @HttpCode(204)
  @ChangesVersion()
  @ApiOperation({ summary: 'Take a connector from a profile' })
  @ApiNoContentResponse({ description: 'Removed.' })
  @ApiProblems(403, 404, 412, 428)
  unbind(
    @CurrentCaller() caller: CallerInfo,
    @Param('id', IdPipe) profileId: string,
    @Param('connectorId', IdPipe) connectorId: string,
    @IfMatch() seen: SeenVersion,
  ): Promise<void> {
    return this.bindings.unbindConnector(caller, { profileId, connectorId }, seen);
  }
}
