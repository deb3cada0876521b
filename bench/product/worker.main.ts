import '../../infra/log/source-maps';
import './contracts';
import { runWorkerProcess } from '../../worker/run-worker';
import { openInspector } from '../profile/open-inspector';
import { BENCH_ACTIONS } from './actions';

openInspector();
runWorkerProcess(BENCH_ACTIONS);
