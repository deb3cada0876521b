/** An endpoint as an action or a tool is named by it: `connector.endpoint`. */
export interface EndpointName {
  connector: string;
  endpoint: string;
}

/** Reads `connector.endpoint`; nothing for any other name. Names of actions have no dot. */
export function endpointName(name: string): EndpointName | undefined {
  const dot = name.indexOf('.');
  return dot < 1 || dot === name.length - 1
    ? undefined
    : { connector: name.slice(0, dot), endpoint: name.slice(dot + 1) };
}

/** The action that such a name stands for. */
export const ENDPOINT_ACTION = 'call_connector';
