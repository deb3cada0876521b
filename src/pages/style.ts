/** Style of all pages: readable on a phone, in the dark, with the keyboard. */
export const STYLE = `
:root{color-scheme:light dark;--back:#fff;--ink:#1c1c1c;--quiet:#595959;--line:#767676;--soft:#f3f3f1;--go:#0b5cad;--on-go:#fff;--no:#a3122a}
@media(prefers-color-scheme:dark){:root{--back:#171717;--ink:#ededed;--quiet:#b0b0b0;--line:#8c8c8c;--soft:#242424;--go:#8ec5ff;--on-go:#06223f;--no:#ff9aa5}}
*{box-sizing:border-box}
body{margin:0 auto;padding:1rem;max-width:40rem;font:1rem/1.5 system-ui,sans-serif;background:var(--back);color:var(--ink);overflow-wrap:anywhere}
header{color:var(--quiet)}
a{color:var(--go)}
h1{font-size:1.5rem;line-height:1.25;margin:1rem 0}
h2{font-size:1.1rem;margin:1.5rem 0 .5rem}
label{display:block;margin:1rem 0;font-weight:600}
small,.quiet{color:var(--quiet);font-weight:400}
small{display:block;font-size:.875rem}
input,textarea{display:block;width:100%;margin-top:.25rem;padding:.6rem;font:inherit;font-weight:400;color:inherit;background:var(--back);border:1px solid var(--line);border-radius:.25rem}
input[readonly]{background:var(--soft)}
button{min-height:2.75rem;padding:.5rem 1.25rem;margin:.5rem .5rem .5rem 0;font:inherit;font-weight:600;border:1px solid var(--go);border-radius:.25rem;background:var(--go);color:var(--on-go);cursor:pointer}
button.no{background:transparent;border-color:var(--no);color:var(--no)}
button:disabled{opacity:.6;cursor:default}
:focus-visible{outline:3px solid var(--go);outline-offset:2px}
output{display:block;margin:1rem 0;font-weight:600}
output.bad{color:var(--no)}
.words{white-space:pre-wrap}
.scroll{overflow-x:auto;border:1px solid var(--line);border-radius:.25rem}
pre{margin:0;padding:.75rem;background:var(--soft);font-size:.875rem;white-space:pre-wrap}
html{scroll-padding-bottom:6rem}
body:has(table){max-width:64rem}
table{border-collapse:collapse;width:100%;font-size:.875rem}
th,td{padding:.4rem .6rem;text-align:left;vertical-align:top;border-bottom:1px solid var(--line);min-width:5rem;overflow-wrap:break-word}
th.number,td.number{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
th.long,td.long{min-width:16rem}
td.date,dd.date,time{white-space:nowrap}
code{font-size:.875rem}
details{margin:.5rem 0}
summary{cursor:pointer;padding:.5rem 0;color:var(--go)}
.bar{position:sticky;bottom:0;margin:0 -1rem;padding:.25rem 1rem;background:var(--back);border-top:1px solid var(--line)}
.bar output{margin:.25rem 0}
.bar output:empty{display:none}
th{background:var(--soft)}
fieldset{margin:1rem 0;padding:0 1rem;border:1px solid var(--line);border-radius:.25rem}
.edited p,.edited ul{margin:0}
.edited{margin:1rem 0;padding:.5rem 1rem;border-left:4px solid var(--go);background:var(--soft)}
.missing{margin:1rem 0;padding:.5rem 1rem;border-left:4px solid var(--no);background:var(--soft);list-style:none}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.25rem 1rem;margin:1rem 0}
dt{color:var(--quiet)}
dd{margin:0;min-width:0}
@media(max-width:30rem){dl{grid-template-columns:1fr;gap:0}dd{margin-bottom:.5rem}}
[hidden]{display:none}
`;
