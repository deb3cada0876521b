import type { Client } from 'pg';
import type { DatabaseConnector, DatabaseEndpoint } from '../../../core/connector/types';
import { AppError } from '../../../core/errors/app-error';
import { refuseInTransaction } from '../../../infra/db/open-transaction';
import { isHostAllowed, requireAllowedHost } from '../../../infra/egress/secret-hosts';
import { JoinedSignal } from '../../../infra/joined-signal';
import { secretNamesOf } from '../../auth/held-secret';
import type { Mask } from '../../../infra/secrets/mask';
import { mappedResult } from '../../mapping/mapped-result';
import type { ExternalSource, SourceRequest } from '../../runtime/source-client';
import { DATABASE_PLACE } from '../../auth/secret-origins';
import type { ConnectorCall, EndpointResult } from '../../call/connector-call';
import type { DatabaseAccess } from './access';
import { addressUrl, readAddress, type DatabaseAddress } from './address';
import { retryRead } from './retry-read';
import { decodeRow, decodersOf } from './columns';
import { sourceHealthOf, toCallError } from './failure';
import { Description, wireByteLimit, Portal } from './portal';
import { bindStatement } from './bound-statement';
import type { BoundStatement } from './bound-statement';
import { withSession } from './session';
import { requireStable } from './stable';
import { beginReading, requireWeakRole, systemOf } from './target';
import type { WireMeter } from './wire-meter';

type DatabaseCall = ConnectorCall<DatabaseConnector>;

/** Carries out the one statement of an endpoint, or of its caller where the endpoint leaves that free. */
export async function callDatabase(call: DatabaseCall): Promise<EndpointResult> {
  refuseInTransaction('A query of a connector');
  const { connector, endpoint, mask, signal, deadline } = call;
  const question = bindStatement(endpoint, call.inputs);
  const named = connector.connection.auth.secret.secret;
  const secret = await call.secrets.resolve(call.ownerId, named);
  const { name, shown } = secretNamesOf(secret, named);
  const address = readAddress(secret.value, shown);
  // Hides the place from a person who runs another owner's profile.
  const hidden = secret.ownerId !== undefined && secret.ownerId !== call.ownerId;
  requirePlace(secret.allowedHosts, address, hidden);
  mask.add(secret.value, address.password);
  const place = hidden ? DATABASE_PLACE : addressUrl(address).host;
  const query: Query = { access: call.services.database, address, endpoint, question, mask, place, hidden };
  const request = requestOf(call, { address, credential: { name } });
  const { result } = await retryRead(
    { ownMs: connector.connection.timeout_seconds * 1000, stepMs: deadline - Date.now(), signal },
    (timeoutMs, attempt) =>
      call.source(
        { ...request, ...(hidden ? { shown: DATABASE_PLACE } : {}), attempt },
        () => runQuery(query, Math.max(1, Math.min(timeoutMs, deadline - Date.now())), signal),
        ({ result: { count }, bytes }) => ({ items: Number(count), bytes }),
      ),
  );
  return result;
}

/** Throws `secret_host_denied`. */
function requirePlace(allowed: readonly string[], address: DatabaseAddress, hidden: boolean): void {
  if (!hidden) return requireAllowedHost(allowed, addressUrl(address));
  if (isHostAllowed(allowed, addressUrl(address))) return;
  throw new AppError(
    'secret_host_denied',
    'The secret of this connector leads to a host that it may not be sent to. The person who shares the profile can allow it.',
    { category: 'forbidden' },
  );
}

function requestOf(
  call: DatabaseCall,
  { address, credential }: { address: DatabaseAddress; credential: ExternalSource['credential'] },
): Omit<SourceRequest, 'attempt'> {
  const { rate_limit: rateLimit } = call.connector.connection;
  return {
    call,
    origin: `postgresql://${addressUrl(address).hostname}:${address.port}/${encodeURIComponent(address.database)}`,
    method: 'QUERY',
    outside: { credential, rateLimit, meaning: sourceHealthOf },
  };
}

interface Query {
  access: DatabaseAccess;
  address: DatabaseAddress;
  endpoint: DatabaseEndpoint;
  question: BoundStatement;
  mask: Mask;
  /** Host and port, for people. */
  place: string;
  /** The place is the matter of the secret's owner. */
  hidden: boolean;
}

interface Answer {
  result: EndpointResult;
  bytes: number;
}

interface TimedQuery extends Query {
  /** Time left for this attempt; also the server's own limit of the statement. */
  leftMs: number;
}

async function runQuery(query: Query, timeoutMs: number, caller: AbortSignal): Promise<Answer> {
  const { access, address, mask, question, place, hidden } = query;
  const deadline = AbortSignal.timeout(Math.max(1, Math.floor(timeoutMs)));
  const end = performance.now() + timeoutMs;
  const joined = new JoinedSignal(caller, deadline);
  try {
    return await withSession(access.open, { address, timeoutMs, signal: joined.signal }, (client, meter) =>
      answer(client, meter, { ...query, leftMs: end - performance.now() }),
    );
  } catch (error) {
    const timedOut = deadline.aborted && !caller.aborted;
    throw toCallError(error, { place, hidden, mask, statement: question.statement, signal: caller, timedOut });
  } finally {
    joined.release();
  }
}

async function answer(client: Client, meter: WireMeter, query: TimedQuery): Promise<Answer> {
  const { endpoint, question, mask, leftMs } = query;
  await beginReading(client, leftMs);
  await refuseOwn(client, query.access);
  await requireWeakRole(client);
  await requireStable(client, question.statement.facts);
  const columns = await decodersOf(client, await client.query(new Description(question.statement.text)).done);
  const { max_rows: maxRows, max_bytes: maxBytes } = endpoint;
  meter.allow(wireByteLimit(maxBytes));
  const { rows, truncated, bytes } = await client.query(new Portal(question.values, { maxRows, maxBytes })).done;
  const records = rows.map((row) => mask.json(decodeRow(columns, row)));
  return { result: { ...mappedResult(endpoint.response_mapping, records, 'name'), truncated }, bytes };
}

async function refuseOwn(client: Client, access: DatabaseAccess): Promise<void> {
  const own = await access.ownSystem();
  if (own === undefined || own !== (await systemOf(client))) return;
  throw new AppError('egress_denied', 'This is the database of the platform itself; no connector reads it.', {
    category: 'forbidden',
  });
}
