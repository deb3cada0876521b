import { markup, type Html } from '../pages/html';
import type { Page } from '../pages/page';
import type { LinkDto } from './dto/auth.dto';

/** Uses the link up by what the form says, into a cookie, and goes on to the API's own pages. */
const SCRIPT = `
const form = document.querySelector('form');
const button = form.querySelector('button');
const output = form.querySelector('output');
const say = (text) => { output.className = 'bad'; output.textContent = text; button.disabled = false; };
form.addEventListener('submit', async (event) => {
  event.preventDefault();
  button.disabled = true;
  const body = { cookie: true };
  for (const [name, value] of new FormData(form)) if (value !== '') body[name] = value;
  try {
    const answer = await fetch(location.pathname, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (answer.ok) return location.replace('/api/docs');
    const { detail, problems = [] } = await answer.json();
    say([detail, ...problems.map((problem) => problem.message)].join(' '));
  } catch {
    say('The API does not answer. Try again in a moment.');
  }
});
`;

type Purpose = LinkDto['purpose'];

const TITLES: Record<Purpose, string> = {
  sign_in: 'Sign in on this browser',
  first_admin: 'Become the first administrator',
  password_reset: 'Set a new password',
  invite: 'Make your account',
};

const BUTTONS: Record<Purpose, string> = {
  sign_in: 'Sign in',
  first_admin: 'Become administrator',
  password_reset: 'Set the password',
  invite: 'Make the account',
};

export function linkPage(purpose: Purpose, handle: string | null): Page {
  const chooses = purpose === 'first_admin' || (purpose === 'invite' && handle === null);
  const body = markup`<form>
${chooses ? CHOSEN : handleLine(handle)}
${purpose === 'sign_in' ? undefined : PASSWORD}
<button>${BUTTONS[purpose]}</button>
<output></output>
<noscript><p>This page needs JavaScript. Programs POST to this address.</p></noscript>
</form>`;
  return { title: TITLES[purpose], body, script: SCRIPT };
}

const CHOSEN = markup`<label>Handle
<small>2 to 63 lower-case letters, digits, ".", "_" and "-".</small>
<input name="handle" autocomplete="username" autocapitalize="none" spellcheck="false" pattern="[a-z0-9][a-z0-9._\\-]{1,62}" required autofocus></label>`;

const PASSWORD = markup`<label>Password
<small>12 characters or more.</small>
<input name="password" type="password" autocomplete="new-password" minlength="12" required></label>`;

/** A field without a name is not sent; it is for the reader, and for password managers. */
function handleLine(handle: string | null): Html | undefined {
  if (handle === null) return undefined;
  return markup`<label>Handle <input value="${handle}" autocomplete="username" readonly></label>`;
}
