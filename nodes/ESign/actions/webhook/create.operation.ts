import { choices, notice, text, WEBHOOK_URI, type Item } from '../../operation';
import { EVENTS } from '../../service/events';
import { MAX_LENGTH } from '../../service/limits';

export const option = {
	name: 'Create',
	value: 'create',
	action: 'Create webhook',
	description:
		'Register a URL that receives events of the mode of the API key. At most five endpoints exist per mode. The eSign Trigger registers its own.',
};

const url = text('url', 'URL', {
	required: true,
	max: MAX_LENGTH.webhookUrl,
	pattern: WEBHOOK_URI,
	form: 'an address that starts with https://',
	placeholder: 'e.g. https://example.com/esign-events',
	description: 'The address that receives the events by POST. It must start with https.',
});

const events = choices('events', 'Events', {
	required: true,
	options: EVENTS,
	default: ['document.completed'],
	description: 'The events to deliver, at least one',
});

export const description = [
	url,
	events,
	notice(
		'secretNotice',
		'The output contains the signing secret of the endpoint, which is shown this once: keep it.',
	),
];

export const endpoint = 'POST /webhooks';

export async function execute(item: Item) {
	const body = { url: item.read(url), events: item.read(events) };
	return await item.call(endpoint, { body });
}
