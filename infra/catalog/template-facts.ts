import { parse } from 'yaml';
import type { ConnectorDefinition, Tested } from '../../core/connector/types';

/** Facts of a template about an endpoint, for people alone. */
export interface EndpointFacts {
  endpoint: string;
  description: string;
  docs?: string;
  tested?: Tested;
}

interface Written {
  endpoints?: Record<string, { docs?: string; tested?: Tested }>;
}

/** `docs` and `tested` of a template's text; its definition does not hold them. */
export function endpointFacts(source: string, definition: ConnectorDefinition): EndpointFacts[] {
  const written = parse(source) as Written;
  return Object.entries(definition.endpoints).map(([endpoint, { description }]) => {
    const { docs, tested } = written.endpoints?.[endpoint] ?? {};
    return {
      endpoint,
      description: description ?? '',
      ...(tested === undefined ? {} : { tested }),
      ...(docs === undefined ? {} : { docs }),
    };
  });
}
