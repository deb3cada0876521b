import { OPENCORPORATES } from './companies';
import { FEC } from './fec';
import { CONGRESS, COURTLISTENER, FEDERAL_REGISTER, FEDERAL_REGISTER_API, WARN_NOTICES } from './government';
import { PROPUBLICA } from './nonprofit';
import { OPENSECRETS } from './opensecrets';
import type { Rows } from './row';
import { SEC } from './sec';
import { USASPENDING } from './usaspending';
import { GITHUB, SEARXNG } from './web';
import { WIKIDATA } from './wikidata';

/** Template → its endpoints with their calls. */
export const ROWS: Record<string, Rows> = {
  'congress-gov': CONGRESS,
  courtlistener: COURTLISTENER,
  'fec-contributions': FEC,
  'federal-register': FEDERAL_REGISTER,
  'federal-register-api': FEDERAL_REGISTER_API,
  'github-repos': GITHUB,
  opencorporates: OPENCORPORATES,
  opensecrets: OPENSECRETS,
  'propublica-nonprofit': PROPUBLICA,
  searxng: SEARXNG,
  'sec-edgar': SEC,
  'state-warn-notices': WARN_NOTICES,
  usaspending: USASPENDING,
  wikidata: WIKIDATA,
};
