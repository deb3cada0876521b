import type { EndpointEffect, Pagination } from '../../core/connector/types';
import { AppError } from '../../core/errors/app-error';

/**
 * Every page is a request of its own under the one key of its step: an effect would happen for each of them, or be taken for
 * a repeat. Definitions that say so cannot be saved; here those that were saved before are refused. Throws `paginated_effect`.
 */
export function requirePagesThatRead(
  name: string,
  endpoint: { effect: EndpointEffect; pagination?: Pagination | undefined },
): void {
  if (endpoint.effect === 'none' || endpoint.pagination === undefined) return;
  throw new AppError(
    'paginated_effect',
    `\`${name}\` has an effect (${endpoint.effect}) and \`pagination\`: every page would bring the effect about again. Nothing was sent. Take \`pagination\` away, or declare \`effect: none\` if it only reads.`,
    { category: 'bad_request', details: { endpoint: name, effect: endpoint.effect } },
  );
}
