import { createHash } from 'node:crypto';
import { Html, markup } from './html';
import { STYLE } from './style';

export interface Page {
  title: string;
  body: Html;
  /** Constant text: its hash is what the browser lets run. */
  script?: string;
}

/** The whole document. Nothing but its own script and style runs on it, and it asks nobody but us. */
export function documentOf({ title, body, script }: Page): string {
  const code = script === undefined ? undefined : markup`<script>${new Html(script)}</script>`;
  return markup`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · Agent Factory</title>
<style>${new Html(STYLE)}</style>
<header>Agent Factory</header>
<main><h1>${title}</h1>${body}</main>
${code}</html>
`.text;
}

export function headersOf({ script }: Page): Record<string, string> {
  const policy = [
    "default-src 'none'",
    `script-src ${script === undefined ? "'none'" : sourceOf(script)}`,
    `style-src ${sourceOf(STYLE)}`,
    "connect-src 'self'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ];
  return {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'content-security-policy': policy.join('; '),
  };
}

function sourceOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}
