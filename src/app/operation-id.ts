/** Controllers that hold a part of a resource: their operations are called after it. */
const PART_OF: Readonly<Record<string, string>> = {
  AllEvents: 'events',
  ApprovalActs: 'approvals',
  Inbox: 'approvals',
  ConnectorDrafts: 'connectors',
  ConnectorState: 'connectors',
  ConnectorTemplates: 'connectors',
  ConnectorTest: 'connectors',
  PlaybookTest: 'playbooks',
  ProfileTemplates: 'profiles',
  RunBulk: 'runs',
  RunCommands: 'runs',
  RunDetails: 'runs',
  RunEvents: 'runs',
};

/** `approvals.approve`: the resource and the handler, as a client reads them. */
export function operationId(controller: string, handler: string): string {
  const name = controller.replace(/Controller$/, '');
  return `${PART_OF[name] ?? name.charAt(0).toLowerCase() + name.slice(1)}.${handler}`;
}
