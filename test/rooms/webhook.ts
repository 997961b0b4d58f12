import { runTogether } from '../support/runTogether';

runTogether(['trigger/delivery/webhook.test.ts']);
