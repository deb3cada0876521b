/** Sends the decision; where it needs the person's session, asks for the password and sends it again. */
export const LINK_SCRIPT = `
const form = document.querySelector('form');
const output = form.querySelector('output');
const signIn = form.querySelector('fieldset');
/** Messages for people: the API's answers are for programs. */
const WORDS = {
  approval_changed: 'Nothing was decided: somebody changed the request while this page was open. Reload the page and look at it again; it says how to decide it as it is now.',
  approval_already_decided: 'Nothing was decided: somebody decided this before you. Reload the page to see what counts.',
  approval_due_passed: 'Nothing was decided: the time for this request is over. Reload the page to see what became of it.',
  run_closed: 'Nothing was decided: the run has ended. Reload the page to see what became of it.',
  link_used: 'This link was used before. Reload the page to see what became of the request.',
};
const say = (text, bad) => { output.className = bad ? 'bad' : ''; output.textContent = text; };
const post = (path, body) => fetch(path, {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});
async function signedIn() {
  if (signIn.hidden) return true;
  const [handle, password] = ['handle', 'password'].map((name) => form.elements[name].value);
  const answer = await post('/api/agent-factory/auth/login', { handle, password, cookie: true });
  if (!answer.ok) say((await answer.json()).detail, true);
  return answer.ok;
}
/** The request as it stands after the decision: how many approvals there are, whether it was the last, what became of it. */
async function refresh() {
  // Programs get JSON from this address, pages are asked for.
  const answer = await fetch(location.href, { headers: { accept: 'text/html' } });
  const about = new DOMParser().parseFromString(await answer.text(), 'text/html').querySelector('.about');
  if (about !== null) form.querySelector('.about').replaceWith(about);
}
async function decide(decision) {
  if (!(await signedIn())) return false;
  const instructions = form.elements.instructions.value;
  const answer = await post(form.dataset.at, instructions === '' ? { decision } : { decision, instructions });
  const body = await answer.json();
  if (answer.ok) {
    say(body.state === 'counted' ? 'Done: your decision counts (' + decision + ').' : 'Received (' + decision + '). It counts as soon as the run is told.');
    // The message stays, even when the reload fails.
    await refresh().catch(() => undefined);
    return true;
  }
  if (answer.status === 401 && signIn.hidden) {
    signIn.hidden = signIn.disabled = false;
    form.elements.password.focus();
    say('This decision needs your session. Enter your password and press the button again.');
  } else say(WORDS[body.code] ?? body.detail, true);
  return false;
}
// Buttons, and no submit: Enter in the password must not press the first of them.
form.addEventListener('click', async (event) => {
  const decision = event.target.closest('button')?.value;
  if (decision === undefined || !form.reportValidity()) return;
  const buttons = [...form.querySelectorAll('button')];
  for (const button of buttons) button.disabled = true;
  const done = await decide(decision).catch(() => say('The API does not answer. Try again in a moment.', true));
  for (const button of buttons) done ? button.remove() : (button.disabled = false);
  if (done) signIn.hidden = signIn.disabled = true;
});
`;
