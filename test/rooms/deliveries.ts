import { runTogether } from '../support/runTogether';

runTogether(['trigger/delivery', 'trigger/waits'], ['trigger/delivery/webhook.test.ts']);
