import { AppError } from '../../core/errors/app-error';
import type { Identity } from './identity';

/** Guards acts that decide approvals, or bypass them. Throws `key_may_not_decide`. */
export function refuseWhoMayNotDecide(who: Identity): void {
  if (who.mayDecide) return;
  throw new AppError('key_may_not_decide', 'This API key may not decide. Sign in, or use a key made with may_decide.', {
    category: 'forbidden',
  });
}
