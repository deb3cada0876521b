import { owner, type Database } from '../database';
import type { PluginRow } from './profile-types';

const SELECT = `select p.id, p.name, p.version, p.description, p.connection_type, p.required_config, p.tool_contracts,
    p.tool_pack_name, p.is_builtin, p.is_enabled, coalesce(s.is_active, false) as configured
  from plugins p left join plugin_settings s on s.plugin_id = p.id and s.owner_id = $1
  where (p.owner_id is null or p.owner_id = $1)`;

/** Plugins of the installation and of the caller. */
export class PluginsStore {
  constructor(private readonly database: Database) {}

  async list(callerId: string): Promise<PluginRow[]> {
    return this.database.query<PluginRow>(owner(callerId), `${SELECT} order by p.name, p.id`, [callerId]);
  }

  async get(callerId: string, name: string): Promise<PluginRow | null> {
    const [row] = await this.database.query<PluginRow>(
      owner(callerId),
      `${SELECT} and p.name = $2 order by p.owner_id nulls last limit 1`,
      [callerId, name],
    );
    return row ?? null;
  }
}
