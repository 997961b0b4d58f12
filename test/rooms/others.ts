import { runTogether } from '../support/runTogether';

runTogether(['.'], ['actions', 'client', 'pdf', 'sandbox', 'sending', 'trigger']);
