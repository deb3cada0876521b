import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';

/** A self-signed certificate for one name, valid from yesterday to tomorrow. */
export function selfSigned(name: string): { key: string; cert: string } {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const ecdsaWithSha256 = sequence(oid([0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02]));
  const who = sequence(set(sequence(oid([0x55, 0x04, 0x03]), text(0x0c, name))));
  const altNames = sequence(oid([0x55, 0x1d, 0x11]), tlv(0x04, sequence(text(0x82, name))));
  const isAuthority = sequence(oid([0x55, 0x1d, 0x13]), tlv(0x04, sequence(tlv(0x01, Buffer.from([0xff])))));
  const content = sequence(
    tlv(0xa0, tlv(0x02, Buffer.from([2]))),
    tlv(0x02, Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    ecdsaWithSha256,
    who,
    sequence(time(-1), time(1)),
    who,
    publicKey.export({ type: 'spki', format: 'der' }),
    tlv(0xa3, sequence(altNames, isAuthority)),
  );
  const signature = sign('sha256', content, privateKey);
  const der = sequence(content, ecdsaWithSha256, tlv(0x03, Buffer.concat([Buffer.from([0]), signature])));
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
    cert: `-----BEGIN CERTIFICATE-----\n${der.toString('base64').replace(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`,
  };
}

/** One value in DER: tag, length, content. */
function tlv(tag: number, content: Buffer): Buffer {
  const { length } = content;
  const size =
    length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, Math.floor(length / 0x100), length % 0x100];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

function sequence(...parts: Buffer[]): Buffer {
  return tlv(0x30, Buffer.concat(parts));
}

function set(...parts: Buffer[]): Buffer {
  return tlv(0x31, Buffer.concat(parts));
}

function oid(bytes: number[]): Buffer {
  return tlv(0x06, Buffer.from(bytes));
}

function text(tag: number, value: string): Buffer {
  return tlv(tag, Buffer.from(value));
}

function time(days: number): Buffer {
  const at = new Date(Date.now() + days * 86_400_000).toISOString();
  return text(0x18, `${at.slice(0, 19).replace(/[-:T]/g, '')}Z`);
}
