import type { Json, JsonObject } from '../../core/base/json';
import type { ConnectorDefinition } from '../../core/connector/types';
import type { SecretSource } from '../../infra/secrets/secret-source';
import type { AccessTokens } from '../auth/access-tokens';
import type { FileParserHost } from '../formats/host/file-parser-host';
import type { CallHooks } from '../hooks/hook-types';
import type { HttpTransport } from '../http/exchange';
import type { DatabaseAccess } from '../kinds/database/access';
import type { DocumentSource } from '../kinds/files/sources/document-source';
import type { ReadingTools } from '../kinds/tools/reading-tools';
import type { SourceClient } from '../runtime/source-client';
import type { CallContext } from './call-context';
import type { CallLedger } from './call-ledger';

export type EndpointResult = { [field: string]: Json };

/** Senders to a source: one for HTTP requests, one for everything else. */
interface Transports {
  http: HttpTransport;
  source: SourceClient;
}

/** Services of all calls of a process. Made once, where the process is composed. */
export interface ConnectorServices {
  /**
   * Opens the transports of one call, with the process's limits, breakers, cache and records; waits and counts go into
   * `ledger`.
   */
  transports(ledger: CallLedger): Transports;
  tokens: AccessTokens;
  documents: DocumentSource;
  /** Directories that `directory` sources may read; nothing outside them. */
  importRoots: readonly string[];
  /** Further directories, read at each call: administrators grant and withdraw them while the process runs. */
  grantedRoots(): Promise<string[]>;
  /** Read when a call names no directory. */
  defaultDirectory: string;
  files: FileParserHost;
  /** Hosts (`host`, `host:port`, `*.domain`, `*`) whose robots.txt the operator says not to ask for. */
  robotsOverride: readonly string[];
  /** Access to databases of others. */
  database: DatabaseAccess;
  /** Actions that change nothing, for calls outside of runs; steps have their own way to all of them. */
  readingTools: ReadingTools;
}

interface EffectTarget {
  description: string;
  effect: 'idempotent' | 'keyed' | 'unsafe';
}

/** Facts of a call and its caller: the same for all kinds of connectors. */
interface CallFacts extends Omit<CallContext, 'connector' | 'deadline' | 'mask'> {
  /** Inputs as the caller gave them. */
  inputs: JsonObject;
  /** Sent as `Idempotency-Key` by endpoints that have an effect. */
  effectKey: string;
  /** Instant at which the run started, by its clock (RFC 3339); undefined outside of runs. */
  now: string | undefined;
  /** Time for the whole call. */
  timeoutMs: number;
  /** Awaited before a request with an effect leaves; commits the attempt. */
  beforeEffect(target: EffectTarget): Promise<void>;
  /** State from a SourceWait of an earlier part of this call. */
  resume: Json | undefined;
  secrets: SecretSource;
  hooks: CallHooks;
  ledger: CallLedger;
}

/** One call of one endpoint: built once where it begins (`prepareCall`), and passed on as it is to the socket. */
export interface ConnectorCall<Definition extends ConnectorDefinition = ConnectorDefinition>
  extends CallFacts, CallContext, Transports {
  /** The connector as binding and hooks permit it. */
  connector: Definition;
  endpoint: Definition['endpoints'][string];
  services: ConnectorServices;
}

export interface CallRequest extends CallFacts {
  definition: ConnectorDefinition;
}
