import { parseConnector } from '../../core/connector/parse';
import type { ParsedConnector } from '../../core/connector/parse';
import { sqlFault } from '../kinds/database/statement';
import { xpathFault } from '../formats/xml/xpath-check';
import { selectorFault } from '../kinds/scraper/selector-check';

/** Reads a connector with everything checked that can be checked without calling it; this is what saving uses. */
export function readConnector(text: string): ParsedConnector {
  return parseConnector(text, { xpath: xpathFault, selector: selectorFault, sql: sqlFault });
}
