import { headerFault } from '../../core/connector/http-names';
import { AppError } from '../../core/errors/app-error';
import { METHODS } from '../../core/connector/types';

/** http(s) only, without credentials. Throws `egress_denied` or `invalid_request`. */
export function checkedUrl(address: string): URL {
  const url = /[\r\n\t\0]/.test(address) ? null : URL.parse(address);
  if (url === null) {
    throw invalid('The address is no absolute http or https address.');
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new AppError('egress_denied', `\`${url.protocol}\` addresses are never fetched; only http and https are.`, {
      category: 'forbidden',
    });
  }
  if (url.username !== '' || url.password !== '') {
    throw invalid('The address contains a user name or password; credentials belong into a secret.');
  }
  // Setting it writes the whole address anew.
  if (address.includes('#')) url.hash = '';
  return url;
}

export function checkedMethod(method: string): string {
  const upper = method.toUpperCase();
  if (!METHODS.some((known) => known === upper)) {
    throw invalid(`The method must be one of ${METHODS.join(', ')}.`);
  }
  return upper;
}

/** Names and values that cannot smuggle a second header, and none that the transport owns; each name once, in lower case. */
export function checkedHeaders(headers: Record<string, string>): Record<string, string> {
  for (const [name, value] of Object.entries(headers)) {
    const fault = name.toLowerCase() === 'idempotency-key' ? headerFault('x-key', value) : headerFault(name, value);
    if (fault !== undefined) {
      throw invalid(fault);
    }
  }
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

export function invalid(message: string): AppError {
  return new AppError('invalid_request', message, { category: 'validation' });
}
