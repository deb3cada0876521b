import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Authenticated } from '../access/rules';
import { ApiProblems } from '../http/api-docs';
import { CurrentCaller, type CallerInfo } from '../http/caller';
import { IdOrSlugPipe } from '../http/ids';
import { PageQuery } from '../http/page';
import { ReadsVersion } from '../http/versions';
import { DiffQuery, PlaybookDiffDto } from './dto/playbook-diff.dto';
import { PlaybookVersionDto, VersionListDto } from './dto/playbook-view.dto';
import { PlaybookVersionsService } from './playbook-versions.service';

@ApiTags('playbooks')
@Controller('playbooks/:id')
export class PlaybookVersionsController {
  constructor(private readonly versions: PlaybookVersionsService) {}

  @Authenticated()
  @Get('versions')
  @ApiOperation({ summary: 'Versions, newest first' })
  @ApiOkResponse({ type: VersionListDto })
  @ApiProblems(404)
  list(
    @CurrentCaller() caller: CallerInfo,
    @Param('id', IdOrSlugPipe) id: string,
    @Query() query: PageQuery,
  ): Promise<VersionListDto> {
    return this.versions.list(caller, id, query);
  }

  @Authenticated()
  @Get('versions/:version')
  @ApiOperation({ summary: 'One version with its text, by number or by the version that the author wrote' })
  @ApiOkResponse({ type: PlaybookVersionDto })
  @ReadsVersion()
  @ApiProblems(404)
  get(
    @CurrentCaller() caller: CallerInfo,
    @Param('id', IdOrSlugPipe) id: string,
    @Param('version') version: string,
  ): Promise<PlaybookVersionDto> {
    return this.versions.get(caller, id, version);
  }

  @Authenticated()
  @Get('diff')
  @ApiOperation({ summary: 'What is different between two versions, by steps and by lines' })
  @ApiOkResponse({ type: PlaybookDiffDto })
  @ApiProblems(404)
  diff(
    @CurrentCaller() caller: CallerInfo,
    @Param('id', IdOrSlugPipe) id: string,
    @Query() query: DiffQuery,
  ): Promise<PlaybookDiffDto> {
    return this.versions.diff(caller, id, query);
  }
}
