import { runTogether } from '../support/runTogether';

runTogether(['trigger/endpoint/recovery.test.ts']);
