import { runTogether } from '../support/runTogether';

runTogether(['sandbox'], ['sandbox/pdf', 'sandbox/pages']);
