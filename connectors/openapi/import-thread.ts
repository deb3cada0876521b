import '../../infra/log/source-maps';
/** Entry of the threads that import documents. */
export { filesOf, makeConnector } from './import-work';
