import { fields } from '../clean-params';
import { randomUUID } from 'node:crypto';
import type { JsonObject } from '../../../core/base/json';
import { owner, type Database } from '../database';
import type { CredentialState } from './connector-calls.store';

export interface AuthReport {
  ownerId: string;
  connector: string;
  /** Name of the secret; '' without one. */
  credential: string;
  /** Status of HTTP; null if the source speaks another protocol. */
  status: number | null;
  endpoint: string;
  /** Answer of the source, for people. */
  said?: string;
}

/** Facts that a call needs before it may send a secret. */
export interface Confirmations<Definition = JsonObject> {
  /** Slug. */
  connector: string;
  /** A deleted connector of this name sent the secret, as its text or a binding said. */
  reused: boolean;
  /** First version of the connector. */
  first_definition: Definition;
  /** Places confirmed for this secret. */
  confirmed: string[][];
}

export interface ConfirmedPlaces {
  /** Slug. */
  connector: string;
  /** Name of the secret. */
  secret: string;
  origins: readonly string[];
}

/** States of credentials as sources report them, and the places that owners confirmed for their secrets. */
export class ConnectorBindingsStore {
  constructor(private readonly database: Database) {}

  /** The source refused it. The first refusal is told to the owner, once an hour at most; true: it is the first. */
  async refused(report: AuthReport): Promise<boolean> {
    const { ownerId, connector, credential, status, endpoint, said = `status ${status}` } = report;
    const what = credential === '' ? 'the request' : `the credential "${credential}"`;
    const title = `The source of "${connector}" refuses ${what}`;
    const body = `${connector}.${endpoint} was answered with ${said}. Check the secret and its rights at the source; calls fail with auth_failed until one succeeds.`;
    const notification = randomUUID();
    return this.report(ownerId, { connector, credential, failed: true, status, endpoint, notification, title, body });
  }

  /** The source took it. True: it had refused it before. */
  async accepted(ownerId: string, connector: string, credential: string): Promise<boolean> {
    return this.report(ownerId, { connector, credential, failed: false });
  }

  private async report(ownerId: string, report: object): Promise<boolean> {
    const [row] = await this.database.hot<{ changed: boolean }>('select af_connector_auth($1) as changed', [
      fields({ owner: ownerId, ...report }),
    ]);
    return row?.changed === true;
  }

  /** Known states of a connector's credentials. */
  async states(ownerId: string, connectorId: string): Promise<CredentialState[]> {
    return this.database.query<CredentialState>(
      owner(ownerId),
      `select nullif(credential, '') as credential, state, status, endpoint, since from connector_bindings
        where owner_id = $1 and connector = $2 order by credential`,
      [ownerId, connectorId],
    );
  }

  /** Confirmations of a version; undefined = the owner has no such version. */
  async confirmations<Definition>(
    ownerId: string,
    versionId: string,
    secret: string,
  ): Promise<Confirmations<Definition> | undefined> {
    const [row] = await this.database.hot<Confirmations<Definition>>('select * from af_confirmations($1, $2, $3)', [
      ownerId,
      versionId,
      secret,
    ]);
    return row;
  }

  /** The owner of the secret has looked at the hosts and agrees. */
  async confirm(ownerId: string, { connector, secret, origins }: ConfirmedPlaces): Promise<void> {
    await this.database.query(
      owner(ownerId),
      `insert into connector_confirmations (id, owner_id, connector, secret, origins) values ($1, $2, $3, $4, $5)
        on conflict (owner_id, connector, secret, origins) do update set confirmed_at = clock_timestamp()`,
      [randomUUID(), ownerId, connector, secret, [...origins].toSorted()],
    );
  }
}
