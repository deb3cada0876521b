import { PREFIX } from './api-fixture';
import { OPENAPI } from './conformance';
import { FACTORIES, FACTORIES_OF } from './identity-objects';
import type { Maker } from './walk-objects';

interface Operation {
  'x-access'?: string;
  parameters?: { name: string; in: string }[];
  requestBody?: {
    required?: boolean;
    content: Record<
      string,
      { schema: { $ref?: string; format?: string }; examples?: Record<string, { value: unknown }> }
    >;
  };
}
export interface Route {
  name: string;
  method: string;
  /** Path below the prefix, with `{parameters}`. */
  path: string;
  access: string;
  operation: Operation;
}

export const ROUTES: Route[] = Object.entries(OPENAPI.paths as unknown as Record<string, Record<string, Operation>>)
  .filter(([path]) => path.startsWith(PREFIX))
  .flatMap(([full, operations]) =>
    Object.entries(operations).map(([verb, operation]) => {
      const path = full.slice(PREFIX.length);
      const method = verb.toUpperCase();
      return { name: `${method} ${path}`, method, path, access: operation['x-access'] ?? 'none', operation };
    }),
  );

/** Parameters of a path, each with the part before it: `runs/{runId}`. */
export function parametersOf(path: string): { key: string; name: string }[] {
  return [...path.matchAll(/([^/{}]+)\/\{([^}]+)\}/g)].map(([, before = '', name = '']) => ({
    key: `${before}/{${name}}`,
    name,
  }));
}

/** The path with a real object for each parameter, and those objects. */
export interface Place {
  path: string;
  params: Record<string, string>;
}

/** Throws where a factory is missing. */
export async function placeFor(route: Route, maker: Maker): Promise<Place> {
  const params: Record<string, string> = {};
  for (const { key, name } of parametersOf(route.path)) {
    const factory = FACTORIES_OF[`${route.name} ${name}`] ?? FACTORIES[key];
    if (factory === undefined) throw new Error(`${route.name}: add a factory for ${key} to identity-objects.ts`);
    params[name] = await factory(maker, params);
  }
  const path = route.path.replace(/\{([^}]+)\}/g, (_all, name: string) => encodeURIComponent(params[name] ?? ''));
  return { path, params };
}
