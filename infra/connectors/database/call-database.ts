import type { Client } from 'pg';
import type { JsonObject } from '../../../core/base/json';
import type { DatabaseConnector, DatabaseEndpoint } from '../../../core/connector/types';
import { AppError } from '../../../core/errors/app-error';
import { refuseInTransaction } from '../../db/open-transaction';
import { requireAllowedHost } from '../../egress/secret-hosts';
import { Mask } from '../mask';
import { mappedResult } from '../map-records';
import type { CallContext, ConnectorDeps, EndpointResult } from '../types';
import type { DatabaseAccess } from './access';
import { readAddress } from './address';
import type { DatabaseAddress } from './address';
import { decodeRow, decodersOf } from './columns';
import { toCallError } from './failure';
import { Description, Portal } from './portal';
import { questionOf } from './question';
import type { Question } from './question';
import { withSession } from './session';
import { beginReading, requireStable, requireWeakRole, systemOf } from './target';

export interface DatabaseCall {
  endpoint: DatabaseEndpoint;
  inputs: JsonObject;
  context: CallContext;
}

/** Carries out the one statement of an endpoint, or of its caller where the endpoint leaves that free. */
export async function callDatabase(
  deps: Pick<ConnectorDeps, 'secrets' | 'database'>,
  definition: DatabaseConnector,
  call: DatabaseCall,
): Promise<EndpointResult> {
  refuseInTransaction('A query of a connector');
  const { context, endpoint } = call;
  const question = questionOf(endpoint, call.inputs);
  const name = definition.connection.auth.secret.secret;
  const secret = await deps.secrets.resolve(context.ownerId, name);
  const address = readAddress(secret.value, name);
  requireAllowedHost(secret.allowedHosts, urlOf(address));
  const mask = new Mask([secret.value, address.password]);
  const timeoutMs = Math.min(definition.connection.timeout_seconds * 1000, context.timeoutMs);
  const deadline = AbortSignal.timeout(Math.max(1, Math.floor(timeoutMs)));
  const signal = AbortSignal.any([context.signal, deadline]);
  try {
    return await withSession(accessOf(deps).open, { address, timeoutMs, signal }, (client) =>
      answer(client, question, { access: accessOf(deps), endpoint, timeoutMs, mask }),
    );
  } catch (error) {
    const timedOut = deadline.aborted && !context.signal.aborted;
    const place = urlOf(address).host;
    throw toCallError(error, { place, mask, statement: question.statement, signal: context.signal, timedOut });
  }
}

interface Asking {
  access: DatabaseAccess;
  endpoint: DatabaseEndpoint;
  timeoutMs: number;
  mask: Mask;
}

async function answer(client: Client, question: Question, use: Asking): Promise<EndpointResult> {
  await beginReading(client, use.timeoutMs);
  await refuseOwn(client, use.access);
  await requireWeakRole(client);
  await requireStable(client, question.statement.facts);
  const columns = await decodersOf(client, await client.query(new Description(question.statement.text)).done);
  const { max_rows: maxRows, max_bytes: maxBytes } = use.endpoint;
  const { rows, truncated } = await client.query(new Portal(question.values, { maxRows, maxBytes })).done;
  const records = rows.map((row) => use.mask.json(decodeRow(columns, row)));
  return { ...mappedResult(use.endpoint.response_mapping, records, 'name'), truncated };
}

async function refuseOwn(client: Client, access: DatabaseAccess): Promise<void> {
  const own = await access.ownSystem?.();
  if (own === undefined || own !== (await systemOf(client))) return;
  throw new AppError('egress_denied', 'This is the database of the platform itself; no connector reads it.', {
    category: 'forbidden',
  });
}

function accessOf(deps: Pick<ConnectorDeps, 'database'>): DatabaseAccess {
  if (deps.database !== undefined) return deps.database;
  throw new AppError('not_available', 'This process does not reach databases of others.', { category: 'unavailable' });
}

/** The rules of hosts speak of addresses of the web. */
function urlOf(address: DatabaseAddress): URL {
  const host = address.host.includes(':') ? `[${address.host}]` : address.host;
  return new URL(`http://${host}:${address.port}`);
}
