import { ownField, type JsonObject } from '../base/json';
import { jsonText } from '../base/json-text';
import { encodeUtf8 } from '../base/utf8';

/** Limit of the stem: file systems allow 255 in all, an export adds a hash and a temporary suffix. */
const MAX_BYTES = 160;

/**
 * A file name from a template with `{placeholders}`. Whatever the values hold, the result is one name: no path
 * separators, no control characters, no leading dot, at most 160 bytes of UTF-8, ending in the extension.
 *
 * @param values texts for the placeholders; an unknown one is left out
 * @param extension with its dot, for example `.md`
 */
export function fileName(template: string, values: JsonObject, extension: string): string {
  const filled = template.replace(/\{([A-Za-z_][\w.-]*)\}/g, (_all, name: string) => jsonText(ownField(values, name)));
  const given = filled.toLowerCase().endsWith(extension) ? filled.slice(0, -extension.length) : filled;
  const stem = safeStem(given);
  return (stem === '' ? 'output' : stem) + extension;
}

function safeStem(text: string): string {
  const safe = text
    .normalize('NFC')
    // Characters that a file system or a shell gives a meaning, and everything unseen.
    .replace(/[\p{C}\p{Z}/\\:*?"'<>|;&$`!(){}[\]#%~^]+/gu, '_')
    .replace(/_{2,}/g, '_')
    .replace(/^[._-]+|[._-]+$/g, '');
  let stem = '';
  let bytes = 0;
  for (const character of safe) {
    bytes += encodeUtf8(character).length;
    if (bytes > MAX_BYTES) {
      break;
    }
    stem += character;
  }
  return stem;
}
