import { Body, Controller, Get, Post } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Authenticated } from '../access/rules';
import { ApiProblems } from '../http/api-docs';
import { CurrentCaller, type CallerInfo } from '../http/caller';
import type { VersionedBody } from '../http/etag';
import { Idempotent, OnceOnly } from '../http/idempotency/idempotent';
import type { Once } from '../http/idempotency/once';
import { ShowsVersion } from '../http/versions';
import { ProfileDto } from './dto/profile.dto';
import { ProfileFromTemplateDto, ProfileTemplateListDto } from './dto/profile-template.dto';
import { ProfileTemplatesService } from './profile-templates.service';

@ApiTags('profiles')
@Controller('profiles')
export class ProfileTemplatesController {
  constructor(private readonly templates: ProfileTemplatesService) {}

  @Authenticated()
  @Get('templates')
  @ApiOperation({ summary: 'Agent profiles that ship with the product' })
  @ApiOkResponse({ type: ProfileTemplateListDto })
  @ApiProblems()
  async listTemplates(): Promise<ProfileTemplateListDto> {
    return { items: await this.templates.list() };
  }

  @Authenticated()
  @Post('from-template')
  @Idempotent()
  @ShowsVersion()
  @ApiOperation({
    summary: 'Make an agent profile from a template',
    description: 'Its connectors and playbooks are bound to it; shipped ones that are not in your lists yet are added.',
  })
  @ApiCreatedResponse({ type: ProfileDto })
  @ApiProblems(404, 409, 422)
  fromTemplate(
    @CurrentCaller() caller: CallerInfo,
    @Body() body: ProfileFromTemplateDto,
    @OnceOnly() once: Once,
  ): Promise<VersionedBody<ProfileDto>> {
    return this.templates.create(caller, body, once);
  }
}
