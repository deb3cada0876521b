import { hostPatterns } from './parsers';
import { required } from './variable';

/** Variables of the connectors' runtime. */
export const CONNECTOR_VARIABLES = {
  robotsOverride: required(
    'AF_ROBOTS_OVERRIDE',
    {
      default: '',
      expected: 'host, host:port, *.domain or *, comma-separated',
      description:
        'Hosts that scraper connectors read without asking for their robots.txt. For sources that allowed it otherwise.',
    },
    hostPatterns,
  ),
};
