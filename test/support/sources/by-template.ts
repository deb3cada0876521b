import { CONGRESS } from './congress';
import { COURTLISTENER } from './courtlistener';
import { FEC } from './fec';
import { FEDERAL_REGISTER } from './federal-register';
import { GITHUB } from './github';
import { OPENCORPORATES } from './opencorporates';
import { OPENSECRETS } from './opensecrets';
import { PROPUBLICA } from './propublica';
import { SEARXNG } from './searxng';
import { SEC } from './sec';
import { type Source, SOURCE_KEY } from './source';
import { USASPENDING } from './usaspending';
import { WARN_NOTICES } from './warn-notices';
import { WIKIDATA } from './wikidata';

/** Template of the catalogue → its stand-in. */
export const SOURCES: Record<string, Source> = {
  'congress-gov': CONGRESS,
  courtlistener: COURTLISTENER,
  'fec-contributions': FEC,
  'federal-register': FEDERAL_REGISTER,
  'federal-register-api': FEDERAL_REGISTER,
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

/** Secrets of the templates, as the sources accept them. */
export const SOURCE_SECRETS: Record<string, string> = {
  FEC_API_KEY: SOURCE_KEY,
  CONGRESS_API_KEY: SOURCE_KEY,
  OPENCORPORATES_API_TOKEN: SOURCE_KEY,
  OPENSECRETS_API_KEY: SOURCE_KEY,
  GITHUB_TOKEN: SOURCE_KEY,
  COURTLISTENER_AUTHORIZATION: `Token ${SOURCE_KEY}`,
};
