import { runTogether } from '../support/runTogether';

runTogether(['sending/approvals.test.ts', 'sending/schedules.test.ts']);
