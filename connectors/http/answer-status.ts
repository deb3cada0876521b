import { firstOf, shorten } from '../../core/base/shorten';
import type { JsonObject } from '../../core/base/json';
import type { ErrorCategory } from '../../core/errors/app-error';
import { AppError } from '../../core/errors/app-error';
import type { EgressResponse } from '../../infra/egress/types';
import { MASK_MARGIN } from '../../infra/secrets/redactor';
import type { Mask } from '../../infra/secrets/mask';
import { waitDetails } from '../runtime/limits/wait-budget';
import { requestedWaitMs } from '../../infra/egress/wait-headers';

const EXCERPT = 2048;
/** Characters of the source's own words in a message; the whole excerpt is in the details. */
const MOST_WORDS = 300;

interface Meaning {
  code: string;
  category: ErrorCategory;
  retryable: boolean;
  say: string;
}

/** The beginning of an answer, at most 2 KB, without secrets. */
export function excerptOf(response: EgressResponse, mask: Mask): string {
  const read = Buffer.from(response.body.subarray(0, EXCERPT + MASK_MARGIN)).toString('utf8');
  return firstOf(mask.text(read), EXCERPT);
}

/** Throws for every status that is not a success. */
export function requireSuccess(response: EgressResponse, mask: Mask): void {
  if (response.status >= 200 && response.status <= 299) {
    return;
  }
  const { code, category, retryable, say } = meaningOf(response.status);
  const host = new URL(response.url).host;
  const excerpt = excerptOf(response, mask);
  const details: JsonObject = { status: response.status, excerpt };
  const wait = requestedWaitMs(response.headers);
  if (wait !== undefined) {
    Object.assign(details, waitDetails(wait));
  }
  throw new AppError(code, `${host} answered with status ${response.status}: ${say}.${wordsOf(excerpt)}`, {
    category,
    retryable,
    details,
  });
}

/** Words of the source, which often name the repair; none where the answer is a web page. */
function wordsOf(excerpt: string): string {
  const words = excerpt.replace(/[\s\p{Cc}\ufffd]+/gu, ' ').trim();
  if (words === '' || words.startsWith('<!') || /^<html\b/i.test(words)) return '';
  return ` It said: ${shorten(words, MOST_WORDS)}`;
}

function meaningOf(status: number): Meaning {
  if (status === 401 || status === 403) {
    return {
      code: 'auth_failed',
      category: 'upstream',
      retryable: false,
      say: 'the credentials are missing, wrong or not sufficient',
    };
  }
  if (status === 404 || status === 410) {
    return {
      code: 'upstream_not_found',
      category: 'upstream',
      retryable: false,
      say: 'there is nothing at this address',
    };
  }
  if (status === 429) {
    return { code: 'rate_limited', category: 'rate_limited', retryable: true, say: 'too many requests' };
  }
  if (status === 408) {
    return { code: 'upstream_timeout', category: 'timeout', retryable: true, say: 'the source gave up waiting' };
  }
  if (status >= 500) {
    return { code: 'upstream_unavailable', category: 'upstream', retryable: true, say: 'the source has a fault' };
  }
  if (status >= 400) {
    return {
      code: 'upstream_rejected',
      category: 'upstream',
      retryable: false,
      say: 'the source refuses the request as it is',
    };
  }
  return { code: 'bad_response', category: 'upstream', retryable: false, say: 'this is neither a result nor an error' };
}
