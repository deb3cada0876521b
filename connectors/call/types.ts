import type { Json, JsonObject } from '../../core/base/json';
import type { ConnectorDefinition, FileEndpoint, ScraperEndpoint } from '../../core/connector/types';
import type { Egress } from '../../infra/egress/egress';
import type { SecretSource } from '../../infra/secrets/secret-source';
import type { AccessTokens } from '../auth/access-tokens';
import type { DatabaseAccess } from '../kinds/database/access';
import type { ParsedFeed } from '../kinds/feeds/parsed-feed';
import type { ParsedFile } from '../formats/parsed-file';
import type { CallHooks } from '../hooks/hook-types';
import type { Asker } from '../runtime/source-client';
import type { Exchanger } from '../http/exchange';
import type { ParsedPage } from '../kinds/scraper/parsed-page';
import type { ReadingTools } from '../kinds/tools/reading-tools';

/** What a call of an endpoint knows about the step that makes it. */
export interface CallContext {
  ownerId: string;
  /** Sent as `Idempotency-Key` by endpoints that have an effect. */
  effectKey: string;
  /** Time left for the whole call. */
  timeoutMs: number;
  /** Aborts on timeout, cancel and shutdown. */
  signal: AbortSignal;
  /** Awaited before a request with an effect leaves; commits the attempt. */
  beforeEffect(target: { description: string; effect: 'idempotent' | 'keyed' | 'unsafe' }): Promise<void>;
  /** Pinned version of the connector. */
  versionId?: string;
  /** Clock of the run: RFC 3339 instant of its start. Absent outside of runs. */
  clock?: { now: string };
  /** What a SourceWait of an earlier part of this call left behind. */
  resume?: Json;
}

export interface EndpointCall {
  definition: ConnectorDefinition;
  endpoint: string;
  inputs: JsonObject;
  context: CallContext;
}

export type EndpointResult = { [field: string]: Json };

/** Lets secrets of one call out only where their owner has agreed to. */
export type SecretGuard = (secrets: SecretSource) => SecretSource;

/** Stored documents of an owner. */
export interface DocumentSource {
  /** Nothing when the owner has no such document. */
  find(
    ownerId: string,
    id: string,
  ): Promise<{ name: string; size: number; read: () => Promise<Uint8Array> } | undefined>;
}

export interface ConnectorDeps {
  egress: Egress;
  /** How requests of connectors leave: retries, limits, cache, records. Absent = straight through the guard. */
  exchange?: Exchanger;
  /** How calls that are no HTTP requests are made: limits, breaker, records. Absent = without any of them. */
  ask?: Asker;
  secrets: SecretSource;
  /** Access tokens that all calls share. Absent = each call fetches its own. */
  tokens?: AccessTokens;
  documents: DocumentSource;
  /** Directories that `directory` sources may read; nothing outside them. */
  importRoots: string[];
  /** More of them, asked at each read: administrators grant and withdraw them while everything runs. */
  grantedRoots?: () => Promise<string[]>;
  /** Read when a call names no directory. */
  defaultDirectory?: string;
  files: FileParserHost;
  /** Hosts (`host`, `host:port`, `*.domain`, `*`) whose robots.txt the operator says not to ask for. */
  robotsOverride?: readonly string[];
  /** Databases of others. Absent = none is reached. */
  database?: DatabaseAccess;
  /** Actions that change nothing, for calls outside of runs. Absent = none; steps have their own way to all of them. */
  readingTools?: ReadingTools;
  /** What the built-in hooks consult before and after a call. */
  hooks?: CallHooks;
}

/** What a call over HTTP needs of it. */
export type RestDeps = Pick<ConnectorDeps, 'egress' | 'exchange' | 'secrets' | 'tokens' | 'files'>;

export interface FileParserHost {
  /** Throws FileFault for what is wrong with the file. */
  parse(job: FileJob, signal: AbortSignal): Promise<ParsedFile>;
  /** Throws FileFault for what is wrong with the page or runs too long on it. */
  page(job: PageJob, signal: AbortSignal): Promise<ParsedPage>;
  /** Throws FileFault when it is no feed. */
  feed(job: FeedJob, signal: AbortSignal): Promise<ParsedFeed>;
  close(): Promise<void>;
}

export interface FileJob {
  endpoint: FileEndpoint;
  bytes: Uint8Array;
}

/** An answer as it came. */
export interface Fetched {
  bytes: Uint8Array;
  contentType: string;
  /** Where it came from, after redirects. */
  url: string;
}

export interface PageJob extends Fetched {
  endpoint: Pick<ScraperEndpoint, 'list_selector' | 'fields' | 'follow'> & {
    /** Selector of what every right page has. */
    has?: string;
  };
}

export type FeedJob = Fetched;
