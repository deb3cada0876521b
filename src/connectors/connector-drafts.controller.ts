import { Body, Controller, Get, HttpCode, Post } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { connectorJsonSchema } from '../../core/connector/json-schema/connector-schema';
import { Authenticated } from '../access/rules';
import { ApiProblems } from '../http/api-docs';
import { ConnectorDraftsService } from './connector-drafts.service';
import { FromOpenapiDto, FromSampleDto, OpenapiDraftDto, SampleDraftDto } from './dto/import.dto';

@ApiTags('connectors')
@Controller('connectors')
export class ConnectorDraftsController {
  constructor(private readonly drafts: ConnectorDraftsService) {}

  @Authenticated()
  @Get('schema')
  @ApiOperation({
    summary: 'The language of connectors as a JSON Schema',
    description: 'Draft 2020-12, for editors and other validators.',
  })
  @ApiOkResponse({ schema: { type: 'object', additionalProperties: true } })
  @ApiProblems()
  languageSchema(): object {
    return connectorJsonSchema();
  }

  @Authenticated()
  @Post('from-openapi')
  @HttpCode(200)
  @ApiOperation({
    summary: 'A connector text from an OpenAPI document',
    description: 'OpenAPI 3.0, 3.1 and Swagger 2. Nothing is stored: save the text with POST /connectors.',
  })
  @ApiOkResponse({ type: OpenapiDraftDto })
  @ApiProblems(413, 415, 422, 502)
  fromOpenapi(@Body() body: FromOpenapiDto): Promise<OpenapiDraftDto> {
    return this.drafts.fromOpenapi(body);
  }

  @Authenticated()
  @Post('from-sample')
  @HttpCode(200)
  @ApiOperation({
    summary: 'A connector text from an answer or a file',
    description: 'Finds the records, their fields and types. Nothing is fetched or stored.',
  })
  @ApiOkResponse({ type: SampleDraftDto })
  @ApiProblems(413, 415, 422)
  fromSample(@Body() body: FromSampleDto): SampleDraftDto {
    return this.drafts.fromSample(body);
  }
}
