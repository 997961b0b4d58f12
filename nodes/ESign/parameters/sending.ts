import { EMBED_LINK_SECONDS, LENGTH } from '../service/limits';
import { HTTPS_URI } from './checks/rules';
import { integer, notice, text } from './declare';

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

/** What an embed link may be given (docs/service.md section 4). */
export const embedOptions = [
	integer('expiresIn', 'Expires In', {
		...EMBED_LINK_SECONDS,
		default: 900,
		hint: 'In seconds',
		description: 'How many seconds the link lasts, from 60 to 3,600',
	}),
	text('redirectUrl', 'Redirect URL', {
		max: LENGTH.embedRedirectUrl,
		mayBeNothing: true,
		pattern: HTTPS_URI,
		form: 'an address that starts with https://',
		placeholder: 'e.g. https://app.example.com/signed',
		description: 'Where to redirect the signer after signing. It must start with https.',
	}),
] as const;
