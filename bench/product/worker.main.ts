import '../../infra/log/source-maps';
import './contracts';
import { becomeWorker } from '../../worker/run-worker';
import { BENCH_ACTIONS } from './actions';

becomeWorker(BENCH_ACTIONS);
