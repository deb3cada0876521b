import type { FastifyInstance } from 'fastify';
import { HttpError } from './http-error';

interface Route {
  path: RegExp;
  methods: readonly string[];
}

/** Answers 405 with `Allow` for a path that exists under other methods; Fastify itself knows only 404. */
export function installMethodCheck(server: FastifyInstance): void {
  const routes: Route[] = [];
  server.addHook('onRoute', ({ url, method }) => {
    routes.push({ path: patternOf(url), methods: [method].flat() });
  });
  server.addHook('onRequest', (request, _reply, done) => {
    done(request.is404 ? refusal(routes, request.method, request.url) : undefined);
  });
}

function refusal(routes: readonly Route[], method: string, url: string): HttpError | undefined {
  const path = url.split('?', 1)[0] ?? '';
  const found = routes.filter((route) => route.path.test(path)).flatMap((route) => route.methods);
  const allow = [...new Set(found)].sort();
  if (allow.length === 0 || allow.includes(method)) return undefined;
  return new HttpError(405, 'method_not_allowed', `This address takes ${allow.join(', ')} and not ${method}.`, {
    details: { allow },
  });
}

function patternOf(url: string): RegExp {
  const parts = url.split('/').map((part) => {
    if (part.startsWith(':')) return '[^/]+';
    return part === '*' ? '.*' : part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  });
  return new RegExp(`^${parts.join('/')}$`);
}
