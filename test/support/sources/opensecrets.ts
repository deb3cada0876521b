import { recorded } from './material';
import { json, type Source, SOURCE_KEY, tooMany } from './source';

const FILES: Record<string, string> = {
  candSummary: 'CandidateSummary.json',
  candContrib: 'CandidateContributors_dev.json',
  candIndustry: 'CandidateIndustries_dev.json',
  candSector: 'CandidateTopSectors_dev.json',
  congCmteIndus: 'FundraisingByCommittee_dev.json',
  independentExpend: 'IndependentExpenditures_dev.json',
  getOrgs: 'OrganizationSearch_dev.json',
  memPFDprofile: 'PFD.json',
};

/** OpenSecrets as it was until April 2025. */
export const OPENSECRETS: Source = {
  hosts: ['www.opensecrets.org'],
  admits: ({ query }) => (query.get('apikey') === SOURCE_KEY ? undefined : json({ error: 'invalid apikey' }, 403)),
  limited: (retryAfter) => tooMany(json({ error: 'limit reached' }), retryAfter),
  missing: () => json({ error: 'Resource not found' }, 404),
  routes: [
    {
      at: 'www.opensecrets.org/api/',
      answer: ({ query }) => {
        const file = FILES[query.get('method') ?? ''];
        return file === undefined || query.get('output') !== 'json' ? undefined : json(recorded(`opensecrets/${file}`));
      },
    },
  ],
};
