import '../infra/log/source-maps';
import { becomeWorker } from './run-worker';

becomeWorker();
