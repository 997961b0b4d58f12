import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
	EMBED_LINK_SECONDS,
	FONT_SIZE,
	MAX_BYTES,
	MAX_CHOICES,
	MAX_ENTRIES,
	MAX_FIELDS,
	MAX_FILES,
	MAX_LENGTH,
	MAX_RECIPIENTS,
	MAX_USES,
	MAX_WEBHOOKS,
} from '../../nodes/ESign/service/limits';

const DOCS = readFileSync(join(__dirname, '../../docs/service.md'), 'utf8');

/** The numbers in what a pattern finds there, in their order. */
const numbersIn = (pattern: RegExp) =>
	(pattern.exec(DOCS)?.[1]?.match(/\d+/g) ?? []).map((digits) => Number(digits));

// The length of a key is that of the rest of its pattern, and one.
it.each<[string, number[], RegExp]>([
	['size of a file', [MAX_BYTES / 1024 / 1024], /^\| size of a file \| (\d+ MB)/m],
	['files', [MAX_FILES], /^\| files of a document \| (\d+),/m],
	['recipients of a document', [MAX_RECIPIENTS], /^\| recipients of a document \| (\d+);/m],
	['recipients of a template', [MAX_RECIPIENTS], /^\| recipients of a template send \| (\d+) /m],
	['fields', [MAX_FIELDS], /^\| fields of a document \| (\d+) /m],
	['webhooks', [MAX_WEBHOOKS], /^\| webhook endpoints \| (\d+) per mode/m],
	['entries of a page', [1, MAX_ENTRIES], /^\| page of a list \| (\d+ to \d+),/m],
	['choices', [MAX_CHOICES, MAX_LENGTH.choice], /^\| `dropdownOptions` .*\| no \| (.*) \|$/m],
	['font size', [FONT_SIZE.min, FONT_SIZE.max], /^\| `fontSize` .*\| no \| (.*) \|$/m],
	[
		'life of an embed link',
		[EMBED_LINK_SECONDS.min, EMBED_LINK_SECONDS.max],
		/^\| life of an embed link \| (\d+ to \d+) /m,
	],
	['redirect of an embed link', [MAX_LENGTH.embedRedirectUrl], /https address, (up to \d+)\. Only/],
	['title', [1, MAX_LENGTH.title], /^\| `title` \| text \| no \| (\d+ to \d+) \|$/m],
	['name', [1, MAX_LENGTH.name], /^\| `name` \| text \| yes \| (1 to \d+) \|$/m],
	[
		'role, and name in a template',
		[1, MAX_LENGTH.role, 1, MAX_LENGTH.templateName],
		/^\| `role` \| text \| yes \| (\d+ to \d+ \|\n.*) \|$/m,
	],
	['email', [MAX_LENGTH.email], /^\| `email` .*(up to \d+) \|$/m],
	['phone', [MAX_LENGTH.phone], /^\| `phone` .*(up to \d+) \|$/m],
	['pin', [MAX_LENGTH.pin], /^\| `pin` .*(up to \d+)\./m],
	['value of a field', [MAX_LENGTH.fieldValue], /^\| `value` .*(up to \d+) \|$/m],
	['value in a template', [MAX_LENGTH.fieldValue], /^\| one value in `field_values` \| (\d+)/m],
	['placeholder', [MAX_LENGTH.placeholderText], /^\| `placeholderText` .*(up to \d+) \|$/m],
	['help', [MAX_LENGTH.helpText], /^\| `helpText` .*(up to \d+) \|$/m],
	['date format', [MAX_LENGTH.dateFormat], /^\| `dateFormat` .*(up to \d+) \|$/m],
	['key', [0, MAX_LENGTH.fieldKey - 1], /\^\[a-z\]\[a-z0-9_\](\{\d+,\d+\})\$/],
	['label of a link', [MAX_LENGTH.linkLabel], /^\| `label` .*(up to \d+) \|$/m],
	['headline of a link', [MAX_LENGTH.linkHeadline], /^\| `headline` .*(up to \d+) \|$/m],
	['message of a link', [MAX_LENGTH.linkMessage], /^\| `message` .*(up to \d+) \|$/m],
	['redirect of a link', [MAX_LENGTH.linkRedirectUrl], /^\| `redirect_url` .*(up to \d+) \|$/m],
	['uses of a link', [MAX_USES], /^\| `max_uses` .*(up to \d+)\./m],
	['URL of a webhook', [MAX_LENGTH.webhookUrl], /^\| `POST \/webhooks` .*address, (up to \d+);/m],
])('The limit of the service is the one of its description: %s', (_, limits, described) => {
	expect(limits).toEqual(numbersIn(described));
});
