import { SignJWT, errors, jwtVerify } from 'jose';
import type { SigningKeys } from './signing-keys';

const ISSUER = 'agent-factory';
const AUDIENCE = 'agent-factory-api';
/** Type of our tokens (RFC 9068): nothing else that we sign is an access token. */
const TYPE = 'at+jwt';
/** Rights are read from the database; the token only names the user and session. */
export const ACCESS_SECONDS = 600;

export interface AccessClaims {
  userId: string;
  sessionId: string;
  /** Milliseconds since 1970. */
  expiresAt: number;
}

/** Short-lived EdDSA tokens that name a user and a session. */
export class AccessTokens {
  constructor(private readonly keys: SigningKeys) {}

  async issue(userId: string, sessionId: string): Promise<string> {
    const { kid, key } = await this.keys.signer();
    return new SignJWT({ sid: sessionId })
      .setProtectedHeader({ alg: 'EdDSA', kid, typ: TYPE })
      .setIssuer(ISSUER)
      .setAudience(AUDIENCE)
      .setSubject(userId)
      .setIssuedAt()
      .setExpirationTime(`${ACCESS_SECONDS}s`)
      .sign(key);
  }

  /** Undefined for everything that is not a valid token of ours. */
  async read(token: string): Promise<AccessClaims | undefined> {
    try {
      const { payload } = await jwtVerify(
        token,
        async ({ kid }) => {
          const key = kid === undefined ? undefined : await this.keys.verifier(kid);
          if (key === undefined) throw new errors.JWKSNoMatchingKey();
          return key;
        },
        {
          algorithms: ['EdDSA'],
          issuer: ISSUER,
          audience: AUDIENCE,
          typ: TYPE,
          requiredClaims: ['sub', 'sid', 'exp', 'iat'],
        },
      );
      const { sub, sid, exp } = payload;
      if (sub === undefined || typeof sid !== 'string' || exp === undefined) return undefined;
      return { userId: sub, sessionId: sid, expiresAt: exp * 1_000 };
    } catch (error) {
      if (error instanceof errors.JOSEError) return undefined;
      throw error;
    }
  }
}
