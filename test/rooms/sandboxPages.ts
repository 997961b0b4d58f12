import { runTogether } from '../support/runTogether';

runTogether(['sandbox/pdf', 'sandbox/pages']);
