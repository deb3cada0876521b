import { Inject, Injectable } from '@nestjs/common';
import { stat } from 'node:fs/promises';
import { posix } from 'node:path';
import { suggestionOr } from '../../core/base/did-you-mean';
import { AppError } from '../../core/errors/app-error';
import type { Sql } from '../../infra/db/database';
import { AuditStore } from '../../infra/db/stores/identity/audit.store';
import { ImportDirsStore } from '../../infra/db/stores/import-dirs.store';
import type { Identity } from '../access/identity';
import type { ApiSettings } from '../app/settings';
import { SETTINGS } from '../app/tokens';
import { auditEntry } from '../audit/audit-entry';
import type { GrantedDirDto, GrantedDirsDto } from './dto/import-dirs.dto';
import type { RequestMeta } from './request-origin';
import { refuseLimited } from './refusals';

/**
 * Each change and its audit entry are written together. A directory need not exist here, since workers have disks of
 * their own; the answer says whether the API's machine has it, so that a typing mistake is seen.
 */
@Injectable()
export class ImportDirsService {
  constructor(
    private readonly dirs: ImportDirsStore,
    private readonly audit: AuditStore,
    @Inject(SETTINGS) private readonly settings: ApiSettings,
  ) {}

  async list(sql?: Sql): Promise<GrantedDirDto[]> {
    const granted = await this.dirs.list(sql);
    const all: Omit<GrantedDirDto, 'found'>[] = [
      ...this.settings.importDirs.map((path) => ({ path, from: 'setting' as const })),
      ...granted.map((row) => ({ ...row, from: 'grant' as const })),
    ];
    return Promise.all(all.map(async (dir) => ({ ...dir, found: await isDirectory(dir.path) })));
  }

  /** Throws `invalid_directory`, `key_is_limited`. */
  grant(who: Identity, given: string, asked: RequestMeta): Promise<GrantedDirsDto> {
    const path = checkedPath(given);
    return this.change(who, { path, action: 'import_dir.grant' }, asked, async (sql) => {
      await this.dirs.grant(path, who.ownerId, sql);
    });
  }

  /** Throws also `directory_not_granted`. */
  revoke(who: Identity, given: string, asked: RequestMeta): Promise<GrantedDirsDto> {
    const path = checkedPath(given);
    return this.change(who, { path, action: 'import_dir.revoke' }, asked, async (sql) => {
      const granted = (await this.dirs.list(sql)).map((row) => row.path);
      if (await this.dirs.revoke(path, sql)) return;
      const set = this.settings.importDirs.includes(path) ? ' It is one of AF_IMPORT_DIRS, which is a setting.' : '';
      throw new AppError(
        'directory_not_granted',
        `"${path}" is not granted.${set} ${suggestionOr(path, granted, 'GET /settings/import-dirs lists what is.')}`,
        {
          category: 'not_found',
        },
      );
    });
  }

  private change(
    who: Identity,
    { path, action }: { path: string; action: string },
    { from, once }: RequestMeta,
    work: (sql: Sql) => Promise<void>,
  ): Promise<GrantedDirsDto> {
    refuseLimited(who);
    return once.systemTx(async (sql) => {
      await work(sql);
      const deed = { action, objectType: 'import_dirs', objectId: path, requestId: from.requestId };
      await this.audit.add(auditEntry(who, deed), sql);
      return { items: await this.list(sql) };
    });
  }
}

async function isDirectory(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}

/** The path of one directory. The root of the disk and paths with `..` are refused, so that no mistake grants them. */
function checkedPath(given: string): string {
  const path = posix.normalize(given).replace(/(?<=.)\/+$/, '');
  // eslint-disable-next-line no-control-regex
  if (given.startsWith('/') && path !== '/' && !given.split('/').includes('..') && !/[\u0000-\u001f\\]/.test(given))
    return path;
  throw new AppError(
    'invalid_directory',
    'Give the absolute path of one directory, such as /srv/filings: not the root of the disk, without "..".',
    { category: 'validation' },
  );
}
