import './contracts';
import '../../src/main';
