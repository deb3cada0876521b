import { congress } from './kinds/congress';
import { courtlistener, opencorporates } from './kinds/courts-and-companies';
import { documents } from './kinds/documents';
import { fec } from './kinds/fec';
import { federalRegister } from './kinds/federal-register';
import { feeds } from './kinds/feeds';
import { githubGraphql } from './kinds/github-graphql';
import { htmlPages } from './kinds/html-pages';
import { irs990 } from './kinds/irs990';
import { openapi } from './kinds/openapi';
import { opensecrets } from './kinds/opensecrets';
import { propublica } from './kinds/propublica';
import { sec } from './kinds/sec';
import { usaspending } from './kinds/usaspending';
import { wikidata } from './kinds/wikidata';
import type { Check, Checks } from './row';

const KINDS: { [kind: string]: Checks } = {
  irs990,
  fec,
  propublica,
  sec,
  usaspending,
  opensecrets,
  opencorporates,
  wikidata,
  'federal-register': federalRegister,
  congress,
  courtlistener,
  'github-graphql': githubGraphql,
  feeds,
  'html-pages': htmlPages,
  documents,
  openapi,
};

export const KIND_NAMES = Object.keys(KINDS);

/** Every file of these kinds, and how it is read. */
export const TABLE: readonly { path: string; check: Check }[] = Object.entries(KINDS).flatMap(([kind, checks]) =>
  Object.entries(checks).map(([file, check]) => ({ path: `${kind}/${file}`, check })),
);
