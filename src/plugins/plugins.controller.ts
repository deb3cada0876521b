import { Controller, Get, Param } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Authenticated } from '../access/rules';
import { ApiProblems } from '../http/api-docs';
import { CurrentCaller, type CallerInfo } from '../http/caller';
import { IdOrSlugPipe } from '../http/ids';
import { PluginDto, PluginListDto, PluginToolsDto } from './dto/plugin.dto';
import { PluginsService } from './plugins.service';

@ApiTags('plugins')
@Controller('plugins')
export class PluginsController {
  constructor(private readonly plugins: PluginsService) {}

  @Authenticated()
  @Get()
  @ApiOperation({ summary: 'Plugins of this installation and your own, by name' })
  @ApiOkResponse({ type: PluginListDto })
  @ApiProblems()
  list(@CurrentCaller() caller: CallerInfo): Promise<PluginListDto> {
    return this.plugins.list(caller);
  }

  @Authenticated()
  @Get(':name')
  @ApiOperation({ summary: 'A plugin with the contracts of its tools' })
  @ApiOkResponse({ type: PluginDto })
  @ApiProblems(404)
  get(@CurrentCaller() caller: CallerInfo, @Param('name', IdOrSlugPipe) name: string): Promise<PluginDto> {
    return this.plugins.get(caller, name);
  }

  @Authenticated()
  @Get(':name/tools')
  @ApiOperation({ summary: 'The contracts of the tools of a plugin' })
  @ApiOkResponse({ type: PluginToolsDto })
  @ApiProblems(404)
  tools(@CurrentCaller() caller: CallerInfo, @Param('name', IdOrSlugPipe) name: string): Promise<PluginToolsDto> {
    return this.plugins.tools(caller, name);
  }
}
