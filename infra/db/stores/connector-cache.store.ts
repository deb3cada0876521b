import { fields, json } from '../clean-params';
import type { Database } from '../database';

/** Key of a cached answer: the pinned version, and the digest of endpoint, request and credential. */
export interface AnswerPlace {
  ownerId: string;
  versionId: string;
  digest: string;
  /** True if others may share it when the connector ships with the product. */
  keyless: boolean;
}

export interface CachedAnswer {
  status: number;
  headers: Record<string, string>;
  url: string;
  body: Buffer;
  age_ms: number;
  fresh: boolean;
  /** True if it can replace the answer of a failing source. */
  usable: boolean;
}

export interface NewAnswer extends AnswerLives {
  connector: string;
  endpoint: string;
  /** Name of the secret; '' without one. */
  credential: string;
  credentialVersion: string;
  status: number;
  headers: Record<string, string>;
  url: string;
  body: Uint8Array;
  /** Bytes of all answers of one owner. */
  ownerBytes: number;
}

export interface AnswerLives {
  ttlSeconds: number;
  staleSeconds: number;
  /** Seconds after its time within which a validator may revive it. */
  dropSeconds: number;
}

/** Answers of sources, shared by all workers. */
export class ConnectorCacheStore {
  constructor(private readonly database: Database) {}

  async find(place: AnswerPlace): Promise<CachedAnswer | undefined> {
    const [row] = await this.database.hot<Omit<CachedAnswer, 'body'> & { body: string }>(
      'select * from af_cached($1, $2, $3, $4)',
      paramsOf(place),
    );
    return row === undefined ? undefined : { ...row, body: Buffer.from(row.body, 'base64') };
  }

  async keep(place: AnswerPlace, answer: NewAnswer): Promise<void> {
    await this.database.hot('select af_cache_answer($1, $2)', [
      newAnswer(place, answer),
      Buffer.from(answer.body).toString('base64'),
    ]);
  }

  async revive(place: AnswerPlace, lives: AnswerLives): Promise<void> {
    await this.database.hot('select af_revive_answer($1)', [fields({ ...placeFields(place), ...lifeFields(lives) })]);
  }

  /** All that a credential has fetched; `only`: of one endpoint, by one version of it. */
  async drop(
    ownerId: string,
    connector: string,
    credential: string,
    only?: { endpoint: string; credentialVersion: string },
  ): Promise<void> {
    await this.database.hot('select af_drop_answers($1, $2, $3, $4, $5)', [
      ownerId,
      connector,
      credential,
      only?.endpoint ?? null,
      only?.credentialVersion ?? null,
    ]);
  }
}

/** The type af_new_answer. */
function newAnswer(place: AnswerPlace, answer: NewAnswer): string | null {
  return fields({
    ...placeFields(place),
    ...lifeFields(answer),
    connector: answer.connector,
    credential: answer.credential,
    status: answer.status,
    headers: json(answer.headers),
    url: answer.url,
    owner_bytes: answer.ownerBytes,
    endpoint: answer.endpoint,
    credential_version: answer.credentialVersion,
  });
}

function paramsOf({ ownerId, versionId, digest, keyless }: AnswerPlace): unknown[] {
  return [ownerId, versionId, digest, keyless];
}

function placeFields({ ownerId, versionId, digest, keyless }: AnswerPlace): object {
  return { owner: ownerId, version: versionId, digest, keyless };
}

function lifeFields({ ttlSeconds, staleSeconds, dropSeconds }: AnswerLives): object {
  return { ttl: ttlSeconds, stale: staleSeconds, drop: dropSeconds };
}
