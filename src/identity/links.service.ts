import { Injectable } from '@nestjs/common';
import { AppError } from '../../core/errors/app-error';
import { LinksStore, type LinkPurpose, type LinkRow } from '../../infra/db/stores/identity/links.store';
import type { Sql } from '../../infra/db/database';
import { hashPassword } from '../../infra/identity/password';
import { hashToken, isToken, PREFIXES, randomToken } from '../../infra/identity/random-token';
import type { Identity } from '../access/identity';
import type { Once } from '../http/idempotency/once';
import { linkUrl } from '../app/link-url';
import { AccountsService } from './accounts.service';
import type { MintedLinkDto, UseLinkDto } from './dto/auth.dto';
import type { RequestOrigin } from './request-origin';
import { handleTaken, linkInvalid, refuseLimited } from './refusals';
import type { VerifiedPerson } from './sign-in.service';

const SIGN_IN_SECONDS = 600;

/** Links that can be used once: GET shows what one is for, POST uses it up. */
@Injectable()
export class LinksService {
  constructor(
    private readonly links: LinksStore,
    private readonly accounts: AccountsService,
  ) {}

  /** Throws `link_invalid`, `link_elsewhere`. */
  async look(token: string, from: RequestOrigin): Promise<LinkRow> {
    const link = isToken(token, PREFIXES.link) ? await this.links.find(hashToken(token)) : null;
    if (link === null) throw linkInvalid();
    if (link.loopback && !from.local) throw elsewhere();
    return link;
  }

  /** Throws as `look`, and `password_needed`, `handle_needed`, `handle_taken`. */
  async use(token: string, body: UseLinkDto, from: RequestOrigin): Promise<VerifiedPerson> {
    const link = await this.look(token, from);
    const { password } = body;
    if (link.purpose !== 'sign_in' && password === undefined) throw needed('password');
    const handle = body.handle ?? link.handle;
    if (handle === null) throw needed('handle');
    if (link.purpose === 'invite') {
      return this.accounts.register(
        { handle, password: password ?? '', display_name: body.display_name, invite: token },
        from,
      );
    }
    const used = await this.links.use(hashToken(token), {
      password: password === undefined ? null : await hashPassword(password),
      handle,
      name: body.display_name ?? handle,
    });
    if (used.outcome === 'taken') throw handleTaken(handle);
    if (used.user_id === null || used.handle === null) throw linkInvalid();
    return { userId: used.user_id, handle: used.handle, by: 'link' };
  }

  /** Signs the caller's own browser in, on this machine. */
  async signInLink(who: Identity, from: RequestOrigin, once: Once): Promise<MintedLinkDto> {
    refuseLimited(who);
    const place = { loopback: true, seconds: SIGN_IN_SECONDS, from };
    return once.systemTx((sql) => this.mint('sign_in', who.ownerId, { ...place, sql }));
  }

  async mint(
    purpose: LinkPurpose,
    userId: string,
    { from, sql, ...place }: { loopback: boolean; seconds: number; from: RequestOrigin; madeBy?: string; sql?: Sql },
  ): Promise<MintedLinkDto> {
    const token = randomToken(PREFIXES.link);
    const link = { purpose, userId, hash: hashToken(token), ...place };
    return { url: linkUrl(from.base, token), expires_at: await this.links.add(link, sql) };
  }
}

function needed(field: string): AppError {
  return new AppError(`${field}_needed`, `This link needs a ${field}: send it in the body.`, {
    category: 'validation',
    problems: [{ severity: 'error', code: `${field}_needed`, field, message: `${field} is missing` }],
  });
}

function elsewhere(): AppError {
  return new AppError('link_elsewhere', 'This link works on the machine that the API runs on, and nowhere else.', {
    category: 'forbidden',
  });
}
