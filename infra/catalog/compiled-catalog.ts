import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ConnectorDefinition } from '../../core/connector/types';
import type { Plan } from '../../core/playbook/types';
import type { ProfileTemplate } from '../../core/profile/types';
import { textsOf } from './catalog-texts';

export interface CatalogEntry<Body> {
  /** File name in the catalogue. */
  file: string;
  /** The text as it lies there. */
  source: string;
  body: Body;
}

export interface Catalog {
  connectors: CatalogEntry<ConnectorDefinition>[];
  playbooks: CatalogEntry<Plan>[];
  profiles: CatalogEntry<ProfileTemplate>[];
}

/** The parsed catalogue, beside its texts: to parse them takes a start longer than all else together. */
const FILE = 'compiled.json';
const FOLDERS = ['connectors', 'playbooks', 'profiles'] as const;
type Folder = (typeof FOLDERS)[number];
type Texts = Record<Folder, { file: string; source: string }[]>;

interface Compiled {
  /** SHA-256 of the texts that it was made from. */
  texts: string;
  bodies: Record<Folder, Record<string, unknown>>;
}

/** The catalogue as the build read and checked it; undefined where its texts are not those, or there is none. */
export async function compiledCatalog(directory: string): Promise<Catalog | undefined> {
  const compiled = await readCompiled(directory);
  if (compiled === undefined) return undefined;
  const texts = await allTexts(directory);
  if (compiled.texts !== hashOf(texts)) return undefined;
  const entries = (folder: Folder): CatalogEntry<never>[] =>
    texts[folder].map(({ file, source }) => ({ file, source, body: compiled.bodies[folder][file] as never }));
  return { connectors: entries('connectors'), playbooks: entries('playbooks'), profiles: entries('profiles') };
}

/** Part of the build: keeps what was read for later starts of the same code. */
export async function writeCompiled(directory: string, catalog: Catalog): Promise<void> {
  const bodiesOf = (folder: Folder): [string, unknown][] => catalog[folder].map(({ file, body }) => [file, body]);
  const compiled: Compiled = {
    texts: hashOf(await allTexts(directory)),
    bodies: Object.fromEntries(
      FOLDERS.map((folder) => [folder, Object.fromEntries(bodiesOf(folder))]),
    ) as Compiled['bodies'],
  };
  await writeFile(join(directory, FILE), JSON.stringify(compiled));
}

async function readCompiled(directory: string): Promise<Compiled | undefined> {
  try {
    return JSON.parse(await readFile(join(directory, FILE), 'utf8')) as Compiled;
  } catch {
    return undefined;
  }
}

async function allTexts(directory: string): Promise<Texts> {
  const read = FOLDERS.map(async (folder) => [folder, await textsOf(join(directory, folder))] as const);
  return Object.fromEntries(await Promise.all(read)) as Texts;
}

function hashOf(texts: Texts): string {
  const hash = createHash('sha256');
  for (const folder of FOLDERS) {
    for (const { file, source } of texts[folder]) hash.update(`${folder}/${file}\0${source.length}\0${source}\0`);
  }
  return hash.digest('hex');
}
