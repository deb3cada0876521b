import { markup, type Html } from '../pages/html';
import type { Page } from '../pages/page';
import type { StartDto } from './start.dto';

/**
 * Page for a person who opens the bare address in a browser: the product, and where to go. `base`: the address as they
 * reached it.
 */
export function startPage({ version, api, docs, openapi, health }: StartDto, base: string): Page {
  const body = markup`<p>Agent Factory runs playbooks durably and asks people where a person has to decide. This is its HTTP API: there is
nothing more to click here than the pages below, and links that people are sent.</p>
<dl>
<dt>Version</dt><dd>${version}</dd>
<dt>Documentation</dt><dd>${link(docs)}</dd>
<dt>For programs</dt><dd>${link(openapi)} (OpenAPI)</dd>
<dt>State</dt><dd>${link(health)}</dd>
<dt>API</dt><dd><code>${base}${api}</code></dd>
</dl>
<h2>A key</h2>
<p>Every request but these shows who asks, in the header <code>X-API-Key</code>.</p>
<ul>
<li>Started with <code>npm start</code>: the file <code>local.key</code> of its folder (<code>.af</code>) has one. The command line <code>af</code> takes
it by itself; <code>af login</code> signs this browser in.</li>
<li>Elsewhere: sign in with <code>POST ${api}/auth/login</code> and your handle and password, then make a key with
<code>POST ${api}/api-keys</code>. Whoever runs this API gives accounts, or says that everybody may register.</li>
</ul>
<pre>curl -H "X-API-Key: $(cat .af/local.key)" ${base}${api}/playbooks</pre>`;
  return { title: 'This is the API', body };
}

function link(path: string): Html {
  return markup`<a href="${path}">${path}</a>`;
}
