import type { OpenAPIObject } from '@nestjs/swagger';

/** Names of the problem answers that routes share, by status. */
const NAMES: Readonly<Record<string, string>> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  406: 'NotAcceptable',
  409: 'Conflict',
  410: 'Gone',
  412: 'PreconditionFailed',
  413: 'ContentTooLarge',
  415: 'UnsupportedMediaType',
  422: 'UnprocessableContent',
  426: 'UpgradeRequired',
  428: 'PreconditionRequired',
  429: 'TooManyRequests',
  502: 'BadGateway',
  503: 'ServiceUnavailable',
};

type Responses = Record<string, unknown>;

/** Problem answers that are the same at many routes stand once, in `components.responses`; the routes refer to them. */
export function withSharedProblems(document: OpenAPIObject): OpenAPIObject {
  const shared: Responses = {};
  for (const item of Object.values(document.paths)) {
    for (const operation of Object.values(item) as { responses?: Responses }[]) {
      for (const [status, response] of Object.entries(operation.responses ?? {})) {
        const name = NAMES[status];
        if (name === undefined) continue;
        shared[name] ??= response;
        // An answer with a description of its own stays at its route.
        if (JSON.stringify(shared[name]) !== JSON.stringify(response)) continue;
        Object.assign(operation.responses ?? {}, { [status]: { $ref: `#/components/responses/${name}` } });
      }
    }
  }
  return { ...document, components: { ...document.components, responses: shared as never } };
}
