import { AppError } from '../../core/errors/app-error';

/** A key that other keys are derived from. */
export interface MasterKey {
  /** Stored beside everything that was encrypted under it. */
  id: string;
  /** Bytes of the key, at least KEY_BYTES. */
  bytes: Buffer;
}

export const KEY_BYTES = 32;
/** The key of our own examples: everybody knows it, so nothing starts with it. */
export const SAMPLE_KEY = 'sample:Y2hhbmdlbWUtY2hhbmdlbWUtY2hhbmdlbWUtY2hhbmc=';
const ENTRY = /^([A-Za-z0-9][A-Za-z0-9._-]{0,31}):([A-Za-z0-9+/_-]+={0,2})$/;
const MAKE_ONE = 'Make one with: echo "k1:$(openssl rand -base64 32)"';

/**
 * Reads `id:base64, …`, separated by commas, blanks or line ends; the first one is current. Throws `invalid_master_keys`
 * with one line that says what is wrong, never the value.
 */
export function parseMasterKeys(text: string, where: string): MasterKey[] {
  const entries = text.split(/[\s,]+/).filter((entry) => entry !== '');
  if (entries.length === 0) throw invalid(`${where} holds no key. ${MAKE_ONE}`);
  const keys = entries.map((entry, index) => readEntry(entry, `${where}, key ${index + 1}`));
  const twice = keys.find((key, index) => keys.findIndex((other) => other.id === key.id) < index);
  if (twice !== undefined)
    throw invalid(`${where} names the key id "${twice.id}" twice. Every key needs an id of its own.`);
  return keys;
}

function readEntry(entry: string, where: string): MasterKey {
  if (isSample(entry)) throw invalid(`${where} is a sample value that everybody knows. ${MAKE_ONE}`);
  const [, id, encoded] = ENTRY.exec(entry) ?? [];
  if (id === undefined || encoded === undefined)
    throw invalid(`${where} is not written as id:base64, the id of letters, digits, ".", "_" and "-". ${MAKE_ONE}`);
  const bytes = Buffer.from(encoded, 'base64');
  if (bytes.length < KEY_BYTES)
    throw invalid(`${where} is too short: ${bytes.length} bytes, at least ${KEY_BYTES} are needed. ${MAKE_ONE}`);
  if (isSample(bytes.toString('latin1')) || new Set(bytes).size < KEY_BYTES / 4)
    throw invalid(`${where} is no random value. ${MAKE_ONE}`);
  return { id, bytes };
}

/** `changeme` in any writing, also inside of the base64. */
function isSample(text: string): boolean {
  return /change[-_ ]?me/i.test(text) || text === SAMPLE_KEY;
}

export function formatMasterKeys(keys: readonly MasterKey[]): string {
  return keys.map((key) => `${key.id}:${key.bytes.toString('base64')}\n`).join('');
}

function invalid(message: string): AppError {
  return new AppError('invalid_master_keys', message, { category: 'validation' });
}

export function masterKeysMissing(file: string): AppError {
  return new AppError(
    'master_keys_missing',
    `There is no master key: neither AF_MASTER_KEYS is set nor is there a file ${file}. ${MAKE_ONE}`,
    { category: 'validation' },
  );
}
