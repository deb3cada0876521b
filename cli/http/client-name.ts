import { productVersion } from '../../infra/embedded/product-version';

/** Says to the API who calls: `cli/<version of the product>`. */
export function clientName(): string {
  return `cli/${productVersion()}`;
}
