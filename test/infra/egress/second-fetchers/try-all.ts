import { PRIVATE_HOSTS } from '../../../support/private-addresses';
import { SECOND_FETCHERS } from './rows';
import { endOf, type FetchSite } from './site';

export interface Wrong {
  fetcher: string;
  host: string;
  ended: string;
}

const SHOWN = 20;

/** Tries all fetchers with all hosts that lead inside, at one port; gives some of what ended otherwise than it must. */
export async function tryAll(site: FetchSite, port: number): Promise<{ tried: number; wrong: Wrong[] }> {
  const wrong: Wrong[] = [];
  for (const { name, ends, fetch } of SECOND_FETCHERS) {
    for (const host of PRIVATE_HOSTS) {
      const ended = await endOf(fetch(site, `http://${host}:${port}`));
      if (!ends.includes(ended) && wrong.length < SHOWN) wrong.push({ fetcher: name, host, ended });
    }
  }
  return { tried: SECOND_FETCHERS.length * PRIVATE_HOSTS.length, wrong };
}
