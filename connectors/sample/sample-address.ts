import type { SampleAddress } from '../../core/connector/sample/draft-connector';
import { checkedUrl } from '../../infra/egress/request-check';

/** The parts of the address that a sample came from. Nothing is fetched. Throws as the guard does for what it never fetches. */
export function sampleAddress(text: string): SampleAddress {
  const url = checkedUrl(text);
  // A definition writes `{name}` for a part that changes; here every part is what it is.
  const path = url.pathname.replaceAll('{', '%7B').replaceAll('}', '%7D');
  return { base_url: url.origin, path, query: [...url.searchParams] };
}
