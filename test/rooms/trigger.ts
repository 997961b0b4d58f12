import { runTogether } from '../support/runTogether';

runTogether(['trigger'], ['trigger/delivery', 'trigger/endpoint', 'trigger/waits']);
