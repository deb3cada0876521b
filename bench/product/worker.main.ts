import '../../infra/log/source-maps';
import './contracts';
import { becomeWorker } from '../../worker/run-worker';
import { openInspector } from '../profile/open-inspector';
import { BENCH_ACTIONS } from './actions';

openInspector();
becomeWorker(BENCH_ACTIONS);
