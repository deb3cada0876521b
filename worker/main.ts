import { becomeWorker } from './run-worker';

becomeWorker();
