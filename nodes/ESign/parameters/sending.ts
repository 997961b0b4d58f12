import { LENGTH } from '../service/limits';
import { notice, text } from './declare';

/** What a document is called; its default differs by what it is made of. */
export const title = text('title', 'Title', {
	max: LENGTH.title,
	description: 'The name of the document that recipients see, up to 160 characters',
});

/** Said by every operation that sends a document out. */
export const sendNotice = notice(
	'sendNotice',
	'The document goes out immediately: to everyone, or to the first signer if the routing is sequential. With a live API key people get e-mails and the document counts towards your bill; with a test key no e-mails are sent and nothing is billed.',
);
