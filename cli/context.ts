import { readEndpoints } from '../infra/embedded/endpoints';
import { resolveHome } from '../infra/embedded/home';
import { readLocalKey } from '../infra/embedded/local-key-file';
import { CliError, EXIT, usageError } from './errors';
import { Api } from './http/api';
import { Output } from './output';

/** Context of every command. */
export interface Context {
  output: Output;
  /** The API of AF_URL, else of the running profile. */
  api(): Api;
}

export function createContext(json: boolean): Context {
  return { output: new Output(json), api: () => openApi(apiOrigin()) };
}

/** Client with the key of AF_API_KEY, else that of this home; the latter is sent to no API but the one that runs here. */
export function openApi(origin: string): Api {
  const given = process.env.AF_API_KEY;
  if (given) return new Api(origin, given);
  const home = resolveHome();
  const own = readEndpoints(home)?.api.url;
  return new Api(origin, own !== undefined && new URL(own).origin === origin ? readLocalKey(home.root) : undefined);
}

function apiOrigin(): string {
  const named = process.env.AF_URL;
  if (named) {
    if (!URL.canParse(named))
      throw usageError(`AF_URL is not an address: ${named}. It looks like http://127.0.0.1:3000.`);
    return new URL(named).origin;
  }
  const endpoints = readEndpoints(resolveHome());
  if (!endpoints) {
    throw new CliError(
      'not_running',
      `Nothing runs here (there is no ${resolveHome().endpointsFile}). Start it with "npm start", or name an API with AF_URL.`,
      EXIT.unreachable,
    );
  }
  return endpoints.api.url;
}
