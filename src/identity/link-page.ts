import { createHash } from 'node:crypto';
import type { LinkDto } from './dto/auth.dto';

/** Uses the link up by what the form says, into a cookie, and goes on to the API's own pages. */
const SCRIPT = `
document.querySelector('form').addEventListener('submit', async (event) => {
  event.preventDefault();
  const body = { cookie: true };
  for (const [name, value] of new FormData(event.target)) if (value !== '') body[name] = value;
  const answer = await fetch(location.pathname, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (answer.ok) location.replace('/api/docs');
  else document.querySelector('output').textContent = (await answer.json()).detail;
});
`;
const STYLE = 'body{font:16px system-ui;max-width:24em;margin:4em auto}label,button{display:block;margin:1em 0}';

function sourceOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}

/** Nothing but this script and this style runs on the page, and it asks nobody but us. */
export const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': `default-src 'none'; script-src ${sourceOf(SCRIPT)}; style-src ${sourceOf(STYLE)}; connect-src 'self'; form-action 'none'; frame-ancestors 'none'; base-uri 'none'`,
};

const TITLES: Record<LinkDto['purpose'], string> = {
  sign_in: 'Sign in on this browser',
  first_admin: 'Become the first administrator',
  password_reset: 'Set a new password',
  invite: 'Make your account',
};

/** `handle`: has only characters that need no escaping. */
export function linkPage(purpose: LinkDto['purpose'], handle: string | null): string {
  const chooses = purpose === 'first_admin' || (purpose === 'invite' && handle === null);
  const name = chooses
    ? '<label>Handle <input name="handle" autocomplete="username" required></label>'
    : `<p>${handle ?? ''}</p>`;
  const password =
    purpose === 'sign_in'
      ? ''
      : '<label>Password <input name="password" type="password" autocomplete="new-password" minlength="12" required></label>';
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Agent Factory</title><style>${STYLE}</style>
<h1>${TITLES[purpose]}</h1><form>${name}${password}<button>Go on</button><output></output></form><script>${SCRIPT}</script></html>`;
}
