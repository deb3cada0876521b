import type { Type } from '@nestjs/common';
import { AuditController } from '../audit/audit.controller';
import { AccountsService } from './accounts.service';
import { AdministrationService } from './administration.service';
import { ApiKeysController } from './api-keys.controller';
import { ApiKeysService } from './api-keys.service';
import { AuthController } from './auth.controller';
import { ImportDirsController } from './import-dirs.controller';
import { ImportDirsService } from './import-dirs.service';
import { InvitesController } from './invites.controller';
import { LinksService } from './links.service';
import { MeController } from './me.controller';
import { ServiceAccountsController } from './service-accounts.controller';
import { ServiceAccountsService } from './service-accounts.service';
import { SettingsController } from './settings.controller';
import { SignInService } from './sign-in.service';
import { UsersController } from './users.controller';

/** `users/me` before `users/:userId`. */
export const IDENTITY_CONTROLLERS: Type[] = [
  AuthController,
  MeController,
  UsersController,
  InvitesController,
  ApiKeysController,
  ServiceAccountsController,
  AuditController,
  SettingsController,
  ImportDirsController,
];

export const IDENTITY_SERVICES: Type[] = [
  AccountsService,
  AdministrationService,
  ApiKeysService,
  ImportDirsService,
  LinksService,
  ServiceAccountsService,
  SignInService,
];
