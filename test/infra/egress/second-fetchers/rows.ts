import { guardedFetch } from '../../../../infra/llm/guarded-fetch';
import { providerEgress } from '../../../../infra/llm/provider-egress';
import { feed, FILES, graphql, openapi, rest, scraper, withTokensOf } from './definitions';
import { NAMED } from './named';
import type { SecondFetcher } from './site';

interface Given {
  name: string;
  fetch: SecondFetcher['fetch'];
  /** Result of a redirect that is never followed; absent: it is checked like the first address. */
  redirect?: 'redirect_refused';
}

/** Parts of the product that take an address from the author of a definition, an input or a document. */
const GIVEN: Given[] = [
  { name: 'the base_url of rest_api', fetch: (site, at) => site.call(rest(at)) },
  { name: 'the base_url of graphql', fetch: (site, at) => site.call(graphql(at)), redirect: 'redirect_refused' },
  {
    name: 'a token_url',
    fetch: (site, at) => site.call(withTokensOf(at, site), { deps: { secretValues: { KEY: 'client:secret' } } }),
    redirect: 'redirect_refused',
  },
  { name: 'the address of a feed', fetch: (site, at) => site.call(feed(at)) },
  {
    name: 'a page of web_scraper',
    fetch: (site, at) => site.call(scraper(at), { deps: { robotsOverride: ['*'] } }),
  },
  { name: 'urls of file_parser', fetch: (site, at) => site.call(FILES, { inputs: { urls: [at] } }) },
  { name: 'an OpenAPI document', fetch: ({ importer }, at) => importer.import({ url: at }, {}) },
  { name: 'a $ref of an OpenAPI document', fetch: ({ importer }, at) => importer.import(openapi(`${at}#/A`), {}) },
  {
    name: 'the base URL of a model, where the operator did not name it',
    fetch: ({ egress }, at) => {
      const provider = { baseUrl: at };
      const send = guardedFetch({ egress: providerEgress(egress, provider), ...provider, onBytes: () => undefined });
      return send(`${at}/chat`);
    },
    redirect: 'redirect_refused',
  },
];

const direct = GIVEN.map(({ name, fetch }): SecondFetcher => ({ name, ends: ['egress_denied'], fetch }));
const redirected = GIVEN.map(({ name, fetch, redirect = 'egress_denied' }): SecondFetcher => ({
  name: `${name}, by a redirect`,
  ends: [redirect],
  fetch: (site, inside) => fetch(site, site.leading(inside)),
}));

/** Every way by which the product comes to fetch an address that somebody else wrote. A new one belongs here. */
export const SECOND_FETCHERS: readonly SecondFetcher[] = [...direct, ...redirected, ...NAMED];
