import { runTogether } from '../support/runTogether';

runTogether(['actions'], ['actions/document']);
