import { Injectable } from '@nestjs/common';
import { notFound } from '../../infra/db/stores/not-found';
import { PluginsStore } from '../../infra/db/stores/plugins.store';
import type { PluginRow } from '../../infra/db/stores/profile-types';
import type { CallerInfo } from '../http/caller';
import { withoutNulls } from '../shared/views';
import type { PluginDto, PluginListDto, PluginSummaryDto, PluginToolsDto } from './dto/plugin.dto';

@Injectable()
export class PluginsService {
  constructor(private readonly plugins: PluginsStore) {}

  async list(caller: CallerInfo): Promise<PluginListDto> {
    return { items: (await this.plugins.list(caller.ownerId)).map(summaryOf) };
  }

  /** Throws `plugin_not_found`. */
  async get(caller: CallerInfo, name: string): Promise<PluginDto> {
    const row = await this.plugins.get(caller.ownerId, name);
    if (row === null) {
      const known = (await this.plugins.list(caller.ownerId)).map((plugin) => plugin.name);
      throw notFound('plugin', name, known, 'GET /plugins lists them.');
    }
    return { ...summaryOf(row), required_config: row.required_config, tool_contracts: row.tool_contracts };
  }

  /** Throws `plugin_not_found`. */
  async tools(caller: CallerInfo, name: string): Promise<PluginToolsDto> {
    const { name: plugin, tool_pack_name, tool_contracts: items } = await this.get(caller, name);
    return { plugin, tool_pack_name, items };
  }
}

function summaryOf(row: PluginRow): PluginSummaryDto {
  const { name, version, connection_type, tool_pack_name, is_builtin, is_enabled, configured } = row;
  return {
    name,
    version,
    connection_type,
    tool_pack_name,
    is_builtin,
    is_enabled,
    configured,
    ...withoutNulls({ description: row.description }),
  };
}
