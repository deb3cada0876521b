import { Body, Controller, Delete, Get, HttpCode, Param, Post, Put } from '@nestjs/common';
import { ApiCreatedResponse, ApiNoContentResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { SeenVersion } from '../../infra/db/row-version';
import { Authenticated } from '../access/rules';
import { ApiProblems } from '../http/api-docs';
import { CurrentCaller, type CallerInfo } from '../http/caller';
import type { VersionedBody } from '../http/etag';
import { Idempotent, OnceOnly } from '../http/idempotency/idempotent';
import type { Once } from '../http/idempotency/once';
import { IdPipe } from '../http/ids';
import { ChangesVersion, IfMatch, ShowsVersion } from '../http/versions';
import { BindingsService } from './bindings.service';
import { BindSkillDto, SkillDto, SkillFieldsDto, SkillListDto } from './dto/binding.dto';

@ApiTags('profiles')
@Controller('profiles/:id/skills')
export class ProfileSkillsController {
  constructor(private readonly bindings: BindingsService) {}

  @Authenticated()
  @Get()
  @ApiOperation({ summary: 'What a profile of yours can do, the most important first' })
  @ApiOkResponse({ type: SkillListDto })
  @ApiProblems(403, 404)
  list(@CurrentCaller() caller: CallerInfo, @Param('id', IdPipe) id: string): Promise<SkillListDto> {
    return this.bindings.listSkills(caller, id);
  }

  @Authenticated()
  @Post()
  @Idempotent()
  @ShowsVersion()
  @ApiOperation({ summary: 'Give a profile a skill: a built-in one, or a playbook' })
  @ApiCreatedResponse({ type: SkillDto })
  @ApiProblems(403, 404, 409, 422)
  bind(
    @CurrentCaller() caller: CallerInfo,
    @Param('id', IdPipe) id: string,
    @Body() body: BindSkillDto,
    @OnceOnly() once: Once,
  ): Promise<VersionedBody<SkillDto>> {
    return this.bindings.bindSkill(caller, id, body, once);
  }

  @Authenticated()
  @Put(':skillId')
  @ChangesVersion()
  @ShowsVersion()
  @ApiOperation({ summary: 'Change a skill of a profile', description: 'Fields that are left out stay as they are.' })
  @ApiOkResponse({ type: SkillDto })
  @ApiProblems(403, 404, 412, 428)
  update(
    @CurrentCaller() caller: CallerInfo,
    @Param('id', IdPipe) profileId: string,
    @Param('skillId', IdPipe) skillId: string,
    @Body() body: SkillFieldsDto,
    @IfMatch() seen: SeenVersion,
  ): Promise<VersionedBody<SkillDto>> {
    return this.bindings.updateSkill(caller, { profileId, skillId }, body, seen);
  }

  @Authenticated()
  @Delete(':skillId')
  @HttpCode(204)
  @ChangesVersion()
  @ApiOperation({ summary: 'Take a skill from a profile' })
  @ApiNoContentResponse({ description: 'Removed.' })
  @ApiProblems(403, 404, 412, 428)
  unbind(
    @CurrentCaller() caller: CallerInfo,
    @Param('id', IdPipe) profileId: string,
    @Param('skillId', IdPipe) skillId: string,
    @IfMatch() seen: SeenVersion,
  ): Promise<void> {
    return this.bindings.unbindSkill(caller, { profileId, skillId }, seen);
  }
}
