import { runTogether } from '../support/runTogether';

runTogether(['trigger/endpoint'], ['trigger/endpoint/recovery.test.ts']);
