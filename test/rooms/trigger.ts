import { runTogether } from '../support/runTogether';

runTogether(['trigger']);
