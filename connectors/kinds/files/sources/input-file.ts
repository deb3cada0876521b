import type { FileConnection } from '../../../../core/connector/types';
import { FileFault } from '../../../formats/file-fault';

/** One file to read. `open` reads it when its turn comes; it throws FileFault for what is wrong with this file alone. */
export interface InputFile {
  file: string;
  file_id: string;
  open(): Promise<Uint8Array>;
}

export function extensionOf(name: string): string {
  const match = /\.([A-Za-z0-9]{1,10})$/.exec(name);
  return match?.[1]?.toLowerCase() ?? '';
}

export function refuseFormat(name: string, connection: FileConnection): void {
  const extension = extensionOf(name);
  if (connection.accepted_formats.length > 0 && !connection.accepted_formats.includes(extension)) {
    throw new FileFault(
      'format_not_accepted',
      `\`${name}\` is not accepted: this connector reads ${connection.accepted_formats.join(', ')}.`,
    );
  }
}

export function refuseSize(bytes: number, connection: FileConnection): void {
  if (bytes > maxBytes(connection)) {
    throw new FileFault(
      'file_too_large',
      `The file has ${Math.ceil(bytes / 1024 / 1024)} MB; this connector reads at most ${connection.max_file_size_mb} MB.`,
    );
  }
}

export function maxBytes(connection: FileConnection): number {
  return connection.max_file_size_mb * 1024 * 1024;
}
