import type { Json } from '../../../../core/base/json';
import { ownField } from '../../../../core/base/json';
import type { FileConnector, FileSource } from '../../../../core/connector/types';
import { badInput } from '../../../call/bad-input';
import type { ConnectorCall } from '../../../call/connector-call';
import { filesOfDirectory } from './directory-source';
import type { InputFile } from './input-file';
import { filesOfDocuments } from './upload-source';
import { filesOfUrls } from './url-source';

const INPUT_OF: Record<FileSource, string> = { directory: 'directory', upload: 'documents', url: 'urls' };

export interface ChosenFiles {
  source: FileSource;
  files: InputFile[];
}

type FileCall = ConnectorCall<FileConnector>;

/** The files of one call: exactly one source, named by its input; without any, the default directory. */
export async function chooseFiles(call: FileCall): Promise<ChosenFiles> {
  const { connection } = call.connector;
  const given = (Object.keys(INPUT_OF) as FileSource[]).filter((source) =>
    isGiven(ownField(call.inputs, INPUT_OF[source])),
  );
  if (given.length > 1) {
    throw badInput(`Give only one of ${given.map((source) => `\`${INPUT_OF[source]}\``).join(', ')}.`);
  }
  const source = given[0] ?? 'directory';
  if (!connection.sources.includes(source)) {
    throw badInput(
      `This connector reads from ${connection.sources.map((name) => `\`${INPUT_OF[name]}\``).join(' or ')}; give that input.`,
    );
  }
  const files = await filesOf(source, ownField(call.inputs, INPUT_OF[source]) ?? null, call);
  if (files.length === 0) {
    throw badInput(
      `\`${INPUT_OF[source]}\` holds no file of an accepted format (${connection.accepted_formats.join(', ') || 'any'}).`,
      'no_files',
    );
  }
  if (files.length > connection.max_files) {
    throw badInput(
      `${files.length} files are more than the ${connection.max_files} that one call of this connector reads.`,
      'too_many_files',
    );
  }
  return { source, files: distinctFiles(files) };
}

async function filesOf(source: FileSource, given: Json, call: FileCall): Promise<InputFile[]> {
  const { services, connector, ownerId, inputs } = call;
  const { connection } = connector;
  if (source === 'upload') return filesOfDocuments(given, { documents: services.documents, ownerId, connection });
  if (source === 'url') return filesOfUrls(given, call);
  const directory = isGiven(given) ? given : services.defaultDirectory;
  if (typeof directory !== 'string') {
    throw badInput('`directory` must be the path of a directory.');
  }
  const files = fileNames(ownField(inputs, 'files'));
  return filesOfDirectory({
    directory,
    roots: [...services.importRoots, ...(await services.grantedRoots())],
    connection,
    ...(files === undefined ? {} : { files }),
  });
}

function fileNames(given: Json | undefined): string[] | undefined {
  if (!isGiven(given)) {
    return undefined;
  }
  const list = Array.isArray(given) ? given : [given];
  if (!list.every((item) => typeof item === 'string')) {
    throw badInput('`files` must be a list of file names.');
  }
  return list;
}

/** An empty list was given: it means no files, never the default ones. */
function isGiven(value: Json | undefined): boolean {
  return value !== undefined && value !== null && value !== '';
}

/** The same file named twice is read once. */
function distinctFiles(files: InputFile[]): InputFile[] {
  return [...new Map(files.map((file) => [file.file_id, file])).values()];
}
