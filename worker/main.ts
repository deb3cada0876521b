import '../infra/log/source-maps';
import { runWorkerProcess } from './run-worker';

runWorkerProcess();
