import { runTogether } from '../support/runTogether';

runTogether(['actions/document']);
