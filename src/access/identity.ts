import type { IncomingMessage } from 'node:http';
import type { FastifyRequest } from 'fastify';

/** Caller: every use case takes it, and every query its owner id. */
export interface CallerInfo {
  ownerId: string;
  /** Name that decisions are recorded under. */
  actor: string;
  via: 'api' | 'cli';
  /** The API key that was shown: a decision has its rights. */
  keyId?: string;
}

/** Facts that the guard knows about the caller. */
export interface Identity extends CallerInfo {
  kind: 'person' | 'service';
  /** Scopes of this call: those of the credential that its owner still has. */
  scopes: readonly string[];
  means: 'key' | 'token' | 'session';
  /** The key or the session. */
  credentialId: string;
  readOnly: boolean;
  mayDecide: boolean;
  /** Null: everything of the owner's. */
  objects: readonly string[] | null;
  /** A key that may less than its owner. */
  limited: boolean;
  peer: string;
}

const known = new WeakMap<FastifyRequest, Identity>();

/** Set by the guard, for the rest of the request. */
export function setIdentity(request: FastifyRequest, identity: Identity): void {
  known.set(request, identity);
}

/** Undefined on routes that are open to anybody. */
export function identityOf(request: FastifyRequest): Identity | undefined {
  return known.get(request);
}

/** The address at the other end of the connection. Headers about it are not trusted. */
export function peerOf(request: Pick<IncomingMessage, 'socket'>): string {
  return (request.socket.remoteAddress ?? 'unknown').replace(/^::ffff:/, '');
}

/** Headers that proxies add: a proxy on this machine is a loopback peer for every caller. */
const FORWARDED = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip'];

/** True for a caller on this machine: a loopback peer that passes on no other request. */
export function isLocal(request: Pick<IncomingMessage, 'headers' | 'socket'>): boolean {
  return isLoopbackPeer(peerOf(request)) && FORWARDED.every((name) => request.headers[name] === undefined);
}

function isLoopbackPeer(peer: string): boolean {
  return peer === '::1' || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(peer);
}
