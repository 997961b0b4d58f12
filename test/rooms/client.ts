import { runTogether } from '../support/runTogether';

runTogether(['client', 'pdf']);
