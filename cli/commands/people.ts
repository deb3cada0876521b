import { randomUUID } from 'node:crypto';
import type { Context } from '../context';
import { EXIT, type ExitCode } from '../errors';
import type { ApprovalLink, Person, Team } from '../http/types';
import { table } from '../view/table';
import { wholeApprovalId } from '../run-id';
import type { Register } from './command';

/** Number of people that the API gives at once. */
const MOST_PEOPLE = 50;

export const registerPeople: Register = (program, wrap) => {
  program.command('teams').description('your teams, and what you are in them').action(wrap(teams));
  program
    .command('people')
    .description('people that you share a team with')
    .argument('<beginning>', 'of a handle or a name')
    .action(wrap(people));
  program
    .command('links')
    .description('make a link with which one person decides one request, once')
    .argument('<approvalId>', 'or its beginning')
    .argument('<user>', 'handle or id of the person that it is for')
    .action(wrap(links));
};

async function teams(context: Context): Promise<ExitCode> {
  const items = await context.api().pages<Team>('/teams?limit=200');
  context.output.result({ items }, () =>
    items.length === 0
      ? 'You are in no team.'
      : table(
          items.map(({ id, name, role }) => [id, name, role]),
          [{ id: true }],
        ),
  );
  return EXIT.ok;
}

async function people(context: Context, beginning: string): Promise<ExitCode> {
  const query = new URLSearchParams({ q: beginning, limit: String(MOST_PEOPLE) });
  const found = await context.api().get<{ items: Person[] }>(`/people?${query.toString()}`);
  context.output.result(found, ({ items }) =>
    items.length === 0
      ? 'Nobody.'
      : [
          table(
            items.map(({ id, handle, name }) => [handle, name, id]),
            [{ whole: true }, {}, { id: true }],
          ),
          ...(items.length < MOST_PEOPLE ? [] : [`The first ${MOST_PEOPLE}. More letters find fewer.`]),
        ].join('\n'),
  );
  return EXIT.ok;
}

async function links(context: Context, given: string, user: string): Promise<ExitCode> {
  const api = context.api();
  const approvalId = await wholeApprovalId(api, given);
  const headers = { 'idempotency-key': randomUUID() };
  const link = await api.post<ApprovalLink>(`/approvals/${approvalId}/links`, { user }, headers);
  const url = new URL(link.url, api.origin).href;
  context.output.result({ ...link, url }, () => `For ${user}, shown this once:\n  ${url}`);
  return EXIT.ok;
}
