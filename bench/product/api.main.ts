import '../../infra/log/source-maps';
import './contracts';
import '../../src/main';
