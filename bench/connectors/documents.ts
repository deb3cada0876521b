const NAMES = ['Harbor House', 'Orchard & Sons', 'River Trust', 'Lamplight Fund', 'Meadow School', 'North Clinic'];
const PURPOSE = 'General support of the work of the organisation in its region, with a part for the new building.';

const nameOf = (no: number): string => `${NAMES[no % NAMES.length]} ${no}`;
const einOf = (no: number): string => String(100_000_000 + no * 37);
const amountOf = (no: number): number => 1_000 + ((no * 7_919) % 90_000);

function times(count: number, text: (no: number) => string): string {
  return Array.from({ length: count }, (_each, no) => text(no)).join('');
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}

/** Grants of a filing in one XML namespace, as tax authorities publish them. */
export function xmlDocument(): Buffer {
  const grant = (no: number): string => `
    <Grant id="g${no}">
      <Recipient><Name><Line1>${escaped(nameOf(no))}</Line1></Name><EIN>${einOf(no)}</EIN></Recipient>
      <Address><City>Springfield</City><State>OH</State><Zip>4570${no % 10}</Zip></Address>
      <Amount>${amountOf(no)}</Amount>
      <Purpose>${PURPOSE}</Purpose>
    </Grant>`;
  return Buffer.from(
    `<?xml version="1.0" encoding="utf-8"?>\n<Return xmlns="urn:example:filing"><Data>${times(2_000, grant)}</Data></Return>`,
  );
}

export function csvDocument(): Buffer {
  const head = 'id,committee,payee,payee_ein,city,state,zip,amount,date,purpose,support,note\n';
  const row = (no: number): string =>
    `${no},C${no % 50},"${nameOf(no)}, Inc.",${einOf(no)},Springfield,OH,4570${no % 10},${amountOf(no)}.50,2024-01-${String((no % 28) + 1).padStart(2, '0')},"${PURPOSE}",S,\n`;
  return Buffer.from(head + times(12_000, row));
}

export function jsonDocument(): Buffer {
  const results = Array.from({ length: 8_000 }, (_each, no) => ({
    id: `a${no}`,
    recipient: { name: nameOf(no), ein: einOf(no), address: { city: 'Springfield', state: 'OH' } },
    award: { amount: amountOf(no), date: '2024-01-15', purpose: PURPOSE, tags: ['a', 'b', 'c'] },
    links: [{ rel: 'self', href: `https://api.example.org/awards/${no}` }],
  }));
  return Buffer.from(JSON.stringify({ results, count: results.length }));
}

export function feedDocument(): Buffer {
  const item = (no: number): string => `
    <item>
      <title>Notice ${no} of the board</title>
      <link>https://www.example.org/notices/${no}</link>
      <guid isPermaLink="false">notice-${no}</guid>
      <pubDate>Mon, 15 Jan 2024 12:${String(no % 60).padStart(2, '0')}:00 GMT</pubDate>
      <category>Notices</category>
      <dc:creator>The board</dc:creator>
      <description><![CDATA[<p>${PURPOSE}</p><ul>${times(6, (at) => `<li><b>${at}</b> ${PURPOSE}</li>`)}</ul>]]></description>
    </item>`;
  return Buffer.from(
    `<?xml version="1.0" encoding="utf-8"?>\n<rss version="2.0" xmlns:dc="http://purl.org/dc/elements/1.1/"><channel><title>Notices</title><link>https://www.example.org/</link><description>All</description>${times(800, item)}</channel></rss>`,
  );
}
