import { asThrown, readCallFailure } from '../../client';
import {
	documentLocator,
	notice,
	options,
	recipientLocator,
	toggle,
	hintAtTestKey,
	type Item,
} from '../../operation';
import { remindOnce } from '../../sending/remindOnce';

export const option = {
	name: 'Remind',
	value: 'remind',
	action: 'Remind document recipients by email',
	description:
		'Send a reminder to everyone who still has to sign a document, or to one recipient. Each call sends another email.',
};

const recipient = recipientLocator.with({
	required: false,
	hint: 'Leave empty to remind everybody whose turn it is',
	description:
		'The recipient to remind. Leave empty to remind everyone who has been asked and has not signed yet.',
});

const whenNobody = options(
	toggle('skipIfNobody', 'Skip If Nobody Is Left', {
		description:
			'Whether to output reminded: 0, instead of an error, for a document with nobody left to remind: everyone has signed, or it is not in progress',
	}),
);

export const description = [
	documentLocator,
	recipient,
	notice(
		'remindNotice',
		'The reminder goes out immediately. A live API key emails people each time this runs; a test key does not.',
	),
	whenNobody,
];

export const endpoint = 'POST /documents/{id}/remind';

export async function execute(item: Item) {
	const id = item.read(documentLocator);
	const recipientId = item.read(recipient);
	const { skipIfNobody } = item.read(whenNobody);
	const body = recipientId ? { recipient_id: recipientId } : undefined;
	try {
		const send = async () => await item.call(endpoint, { path: { id }, body });
		const reminder = await remindOnce(item, { documentId: id, recipientId }, send);
		await hintAtTestKey(item.context);
		return { document_id: id, ...reminder };
	} catch (error) {
		const { code } = readCallFailure(error);
		if (skipIfNobody === true && code === 'no_recipients_to_remind')
			return { document_id: id, reminded: 0 };
		throw asThrown(error);
	}
}
