import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiBody, ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Identity } from '../access/identity';
import { Authenticated } from '../access/rules';
import { ApiProblems } from '../http/api-docs';
import { CurrentCaller, type CallerInfo } from '../http/caller';
import type { VersionedBody } from '../http/etag';
import { Idempotent, OnceOnly } from '../http/idempotency/idempotent';
import type { Once } from '../http/idempotency/once';
import { IdOrSlugPipe } from '../http/ids';
import { ShowsVersion } from '../http/versions';
import { ConnectorsService } from './connectors.service';
import { ConnectorTemplateQuery } from './dto/connector-list.dto';
import { ConnectorSavedDto, ConnectorSourceDto } from './dto/connector.dto';
import { ConnectorReportDto, ConnectorTemplateListDto, FromTemplateDto, TemplateNamesDto } from './dto/template.dto';
import { TemplatesService } from './templates.service';

@ApiTags('connectors')
@Controller('connectors')
export class ConnectorTemplatesController {
  constructor(
    private readonly connectors: ConnectorsService,
    private readonly templates: TemplatesService,
  ) {}

  @Authenticated()
  @Get('templates')
  @ApiOperation({ summary: 'Connectors that ship with the product, as texts to begin with' })
  @ApiOkResponse({ type: ConnectorTemplateListDto })
  @ApiProblems()
  async listTemplates(@Query() query: ConnectorTemplateQuery): Promise<ConnectorTemplateListDto> {
    return { items: await this.templates.list(query) };
  }

  @Authenticated()
  @Post('from-template')
  @ApiOperation({
    summary: 'Create a connector from a template',
    description: 'Creates it with the given `id` and `name`.',
  })
  @ApiCreatedResponse({ type: ConnectorSavedDto })
  @Idempotent()
  @ShowsVersion()
  @ApiProblems(404, 422)
  async fromTemplate(
    @CurrentCaller() who: Identity,
    @Body() body: FromTemplateDto,
    @OnceOnly() once: Once,
  ): Promise<VersionedBody<ConnectorSavedDto>> {
    return this.connectors.save(who, await this.templates.textFor(body, who.limited), once);
  }

  @Authenticated()
  @Post('from-template/:templateId')
  @ApiOperation({
    summary: 'Create a connector from the template that the path names',
    description: 'Creates it with the given `id` and `name`; without a body with those of the template.',
  })
  @ApiBody({ type: TemplateNamesDto, required: false })
  @ApiCreatedResponse({ type: ConnectorSavedDto })
  @Idempotent()
  @ShowsVersion()
  @ApiProblems(404, 422)
  async fromNamedTemplate(
    @CurrentCaller() who: Identity,
    @Param('templateId') template: string,
    @Body() names: TemplateNamesDto,
    @OnceOnly() once: Once,
  ): Promise<VersionedBody<ConnectorSavedDto>> {
    return this.connectors.save(who, await this.templates.textFor({ ...names, template }, who.limited), once);
  }

  @Authenticated()
  @Post('validate')
  @HttpCode(200)
  @ApiOperation({ summary: 'All problems of a connector text at once, with places and suggestions' })
  @ApiOkResponse({ type: ConnectorReportDto })
  @ApiProblems(413, 415)
  validate(@Body() body: ConnectorSourceDto): ConnectorReportDto {
    return this.connectors.validate(body.source);
  }

  @Authenticated()
  @Post(':id/validate')
  @HttpCode(200)
  @ApiOperation({ summary: 'Check a stored connector by the rules of today' })
  @ApiOkResponse({ type: ConnectorReportDto })
  @ApiProblems(404)
  validateSaved(
    @CurrentCaller() caller: CallerInfo,
    @Param('id', IdOrSlugPipe) id: string,
  ): Promise<ConnectorReportDto> {
    return this.connectors.validateSaved(caller, id);
  }
}
