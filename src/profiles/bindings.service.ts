import { Injectable } from '@nestjs/common';
import type { ConnectorDefinition } from '../../core/connector/types';
import { AppError } from '../../core/errors/app-error';
import { overrideFaults, type Binding } from '../../connectors/call/binding';
import { confirmBinding, type BoundVersion } from '../../connectors/auth/confirm-binding';
import type { SeenVersion } from '../../infra/db/row-version';
import { ConnectorBindingsStore } from '../../infra/db/stores/connector-bindings.store';
import { ConnectorsStore } from '../../infra/db/stores/definitions.store';
import { ProfileConnectorsStore, type BindingPlace } from '../../infra/db/stores/profile-connectors.store';
import { ProfileSkillsStore, type SkillPlace } from '../../infra/db/stores/profile-skills.store';
import type { ConnectorBindingFields, ConnectorBindingRow } from '../../infra/db/stores/profile-types';
import { ProfilesStore } from '../../infra/db/stores/profiles.store';
import type { Identity } from '../access/identity';
import type { CallerInfo } from '../http/caller';
import { versioned, type VersionedBody } from '../http/etag';
import type { Once } from '../http/idempotency/once';
import { changesOf } from '../shared/changes';
import type {
  BindConnectorDto,
  BindSkillDto,
  ConnectorBindingDto,
  ConnectorBindingFieldsDto,
  ConnectorBindingListDto,
  SkillDto,
  SkillFieldsDto,
  SkillListDto,
} from './dto/binding.dto';
import { bindingView, skillView } from './profile-view';

/**
 * Bindings of a profile. Only its owner sees them: they hold names of secrets and limits. Every method
 * throws `profile_not_found`, or `not_profile_owner` for a profile that is shared with the caller.
 */
@Injectable()
export class BindingsService {
  constructor(
    private readonly profiles: ProfilesStore,
    private readonly connectors: ProfileConnectorsStore,
    private readonly definitions: ConnectorsStore<ConnectorDefinition>,
    private readonly places: ConnectorBindingsStore,
    private readonly skills: ProfileSkillsStore,
  ) {}

  async listConnectors(caller: CallerInfo, profileId: string): Promise<ConnectorBindingListDto> {
    await this.profiles.requireOwn(caller.ownerId, profileId);
    return { items: (await this.connectors.list(caller.ownerId, profileId)).map(bindingView) };
  }

  /** Throws `connector_not_found`, `connector_bound`, `connection_not_found`. */
  async bindConnector(
    caller: Identity,
    profileId: string,
    { connector, ...fields }: BindConnectorDto,
    once: Once,
  ): Promise<VersionedBody<ConnectorBindingDto>> {
    await this.profiles.requireOwn(caller.ownerId, profileId);
    const made: ConnectorBindingRow[] = [];
    const answer = await once.tx(async (sql) => {
      const row = await this.connectors.bind(caller.ownerId, profileId, connector, connectorFields(fields), sql);
      made.push(row);
      return versioned(bindingView(row), row);
    });
    // Confirms after the commit. If the process dies here, a call reports that the place is not confirmed, and asks to
    // save the binding again.
    for (const row of made) {
      await this.confirm(caller, await this.agreedTo(caller, row.connector_id, fields), statedFields(fields, row));
    }
    return answer;
  }

  /** Throws `binding_not_found`, `connection_not_found`, `precondition_failed`. */
  async updateConnector(
    caller: Identity,
    at: BindingPlace,
    body: ConnectorBindingFieldsDto,
    seen: SeenVersion,
  ): Promise<VersionedBody<ConnectorBindingDto>> {
    await this.profiles.requireOwn(caller.ownerId, at.profileId);
    const version = await this.agreedTo(caller, at.connectorId, body);
    const row = await this.connectors.update(caller.ownerId, at, connectorFields(body), seen);
    await this.confirm(caller, version, statedFields(body, row));
    return versioned(bindingView(row), row);
  }

  /** The version that a change agrees to: of none where it names no place and no secret, where the connector is deleted, for a key with limits. */
  private async agreedTo(
    { limited, ownerId }: Identity,
    connectorId: string,
    { credentials, config_overrides }: ConnectorBindingFieldsDto,
  ): Promise<BoundVersion | undefined> {
    if (limited || (credentials === undefined && config_overrides === undefined)) return undefined;
    const connector = await this.definitions.get(ownerId, connectorId);
    if (connector === null) return undefined;
    return (await this.definitions.version(ownerId, connector.latest_version_id)) ?? undefined;
  }

  /** The caller owns both the connector and the secret, so naming the place confirms it. */
  private async confirm({ ownerId }: Identity, version?: BoundVersion, binding?: Binding): Promise<void> {
    if (version !== undefined && binding !== undefined) await confirmBinding(this.places, ownerId, version, binding);
  }

  /** Throws `binding_not_found`, `precondition_failed`. */
  async unbindConnector(caller: CallerInfo, at: BindingPlace, seen: SeenVersion): Promise<void> {
    await this.profiles.requireOwn(caller.ownerId, at.profileId);
    await this.connectors.unbind(caller.ownerId, at, seen);
  }

  async listSkills(caller: CallerInfo, profileId: string): Promise<SkillListDto> {
    await this.profiles.requireOwn(caller.ownerId, profileId);
    return { items: (await this.skills.list(caller.ownerId, profileId)).map(skillView) };
  }

  /** Throws `playbook_not_found`, `skill_bound`. */
  async bindSkill(
    caller: CallerInfo,
    profileId: string,
    { skill_type, skill_reference, ...fields }: BindSkillDto,
    once: Once,
  ): Promise<VersionedBody<SkillDto>> {
    await this.profiles.requireOwn(caller.ownerId, profileId);
    const what = skill_type === 'playbook' ? { playbook: skill_reference } : { built_in: skill_reference };
    return once.tx(async (sql) => {
      const row = await this.skills.bind(caller.ownerId, profileId, { ...changesOf(fields), ...what }, sql);
      return versioned(skillView(row), row);
    });
  }

  /** Throws `skill_not_found`, `precondition_failed`. */
  async updateSkill(
    caller: CallerInfo,
    at: SkillPlace,
    body: SkillFieldsDto,
    seen: SeenVersion,
  ): Promise<VersionedBody<SkillDto>> {
    await this.profiles.requireOwn(caller.ownerId, at.profileId);
    const row = await this.skills.update(caller.ownerId, at, changesOf(body), seen);
    return versioned(skillView(row), row);
  }

  /** Throws `skill_not_found`, `precondition_failed`. */
  async unbindSkill(caller: CallerInfo, at: SkillPlace, seen: SeenVersion): Promise<void> {
    await this.profiles.requireOwn(caller.ownerId, at.profileId);
    await this.skills.unbind(caller.ownerId, at, seen);
  }
}

/**
 * Confirms only what the request itself says: earlier content may have been written with a limited key, and confirming it here would go unnoticed.
 * Nothing where the binding gives a secret and the request does not say which.
 */
function statedFields(body: ConnectorBindingFieldsDto, row: ConnectorBindingRow): Binding | undefined {
  const credentials = body.credentials ?? undefined;
  if (credentials === undefined && Object.keys(row.credentials).length > 0) return undefined;
  return { ...row, credentials: credentials ?? {}, config_overrides: body.config_overrides ?? {} };
}

/** Throws `invalid_binding` for what no run could use. */
function connectorFields(body: ConnectorBindingFieldsDto): ConnectorBindingFields {
  const faults = overrideFaults(body.config_overrides ?? {});
  if (faults.length > 0) {
    throw new AppError('invalid_binding', `config_overrides cannot be used: ${faults.join('; ')}.`, {
      category: 'validation',
    });
  }
  return changesOf(body) as ConnectorBindingFields;
}
