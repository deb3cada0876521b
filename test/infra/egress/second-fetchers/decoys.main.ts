import { createServer } from 'node:http';
import { ownEveryAddress, report } from '../../../support/own-network';
import { PUBLIC_ADDRESSES } from '../../../support/private-addresses';
import { startFetchSite } from './site';
import { tryAll, type Wrong } from './try-all';

/** Port to which redirects may lead: the address decides. */
const PORT = 80;

export interface SecondReport {
  /** Addresses whose decoys answer without the guard. */
  control: string[];
  tried: number;
  wrong: Wrong[];
  reached: string[];
}

/** Runs in a network of its own: the source is at a public address, and a decoy at all others. */
report(async (): Promise<SecondReport> => {
  ownEveryAddress();
  const arrived: string[] = [];
  const decoy = createServer((_request, response) => response.end('decoy'));
  decoy.on('connection', ({ localAddress = '' }) => arrived.push(localAddress.replace(/^::ffff:/, '')));
  await new Promise<void>((resolve) => decoy.listen(PORT, '::', resolve));
  for (const host of ['10.0.0.1', '169.254.169.254', '[fd00:ec2::254]']) await fetch(`http://${host}:${PORT}/`);
  const control = arrived.splice(0);
  const site = await startFetchSite(PUBLIC_ADDRESSES[0] ?? '', true);
  return { control, ...(await tryAll(site, PORT)), reached: arrived };
});
