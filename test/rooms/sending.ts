import { runTogether } from '../support/runTogether';

runTogether(['sending'], ['sending/approvals.test.ts', 'sending/schedules.test.ts']);
