import { Body, Controller, Get, HttpCode, Post } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Identity } from '../access/identity';
import { Needs } from '../access/rules';
import { AuditsItself } from '../audit/audit.interceptor';
import { ApiProblems } from '../http/api-docs';
import { CurrentCaller } from '../http/caller';
import { Idempotent, OnceOnly } from '../http/idempotency/idempotent';
import type { Once } from '../http/idempotency/once';
import { GrantedDirsDto, ImportDirDto } from './dto/import-dirs.dto';
import { ImportDirsService } from './import-dirs.service';
import { Origin, type RequestOrigin } from './request-origin';

/** Directories of the workers' machines that file connectors may read. */
@ApiTags('settings')
@Controller('settings/import-dirs')
export class ImportDirsController {
  constructor(private readonly dirs: ImportDirsService) {}

  @Needs('global:admin')
  @Get()
  @ApiOperation({ summary: 'Directories that file connectors may read' })
  @ApiOkResponse({ type: GrantedDirsDto })
  @ApiProblems()
  async list(): Promise<GrantedDirsDto> {
    return { items: await this.dirs.list() };
  }

  @Needs('global:admin')
  @Post()
  @Idempotent()
  @HttpCode(200)
  @AuditsItself()
  @ApiOperation({ summary: 'Let file connectors read a directory', description: 'Applies from the next read.' })
  @ApiOkResponse({ type: GrantedDirsDto })
  @ApiProblems(422)
  grant(
    @CurrentCaller() who: Identity,
    @Body() { path }: ImportDirDto,
    @Origin() from: RequestOrigin,
    @OnceOnly() once: Once,
  ): Promise<GrantedDirsDto> {
    return this.dirs.grant(who, path, { from, once });
  }

  @Needs('global:admin')
  @Post('revoke')
  @Idempotent()
  @HttpCode(200)
  @AuditsItself()
  @ApiOperation({ summary: 'Let file connectors read a granted directory no more' })
  @ApiOkResponse({ type: GrantedDirsDto })
  @ApiProblems(404, 422)
  revoke(
    @CurrentCaller() who: Identity,
    @Body() { path }: ImportDirDto,
    @Origin() from: RequestOrigin,
    @OnceOnly() once: Once,
  ): Promise<GrantedDirsDto> {
    return this.dirs.revoke(who, path, { from, once });
  }
}
