import { runTogether } from '../support/runTogether';

runTogether(['sending/killedTries.test.ts', 'sending/skipIfCreated', 'sending/twoRetries.test.ts']);
