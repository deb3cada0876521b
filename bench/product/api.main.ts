import '../../infra/log/source-maps';
import './contracts';
import '../../src/main';
import { openInspector } from '../profile/open-inspector';

openInspector();
