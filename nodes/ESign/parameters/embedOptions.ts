import { EMBED_LINK_SECONDS, LENGTH } from '../service/limits';
import { HTTPS_URI } from './checks/rules';
import { number, text } from './declare';

/** What an embed link may be given (docs/service.md section 4). */
export const embedOptions = [
	number('expiresIn', 'Expires In', {
		...EMBED_LINK_SECONDS,
		whole: true,
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
