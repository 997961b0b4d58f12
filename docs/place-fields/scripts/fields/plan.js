// @ts-check
/* The recipients and fields being placed, and the way back. */

let lastKey = 0;
const newKey = () => ++lastKey;

/** @param {Recipient} recipient @param {number} index */
const recipientName = ({ name, email }, index) =>
	name.trim() || email.trim() || `Recipient ${index + 1}`;

/** Steps that undo goes back. */
const MAX_STEPS = 200;

/**
 * Holds the plan and tells who listens about every change.
 * @param {Plan} start
 */
function createStore(start) {
	let plan = start;
	/** The plan as undo knows it: behind `plan` while something is being dragged. */
	let settled = start;
	/** @type {number | null} */
	let selected = null;
	/** @type {Plan[]} */
	let past = [];
	/** @type {Plan[]} */
	let future = [];
	/** What the last step was about; the next step about the same is no step of its own. */
	let lastStep = '';
	/** @type {Array<() => void>} */
	const listeners = [];
	const tell = () => {
		if (!plan.fields.some(({ key }) => key === selected)) selected = null;
		for (const listener of listeners) listener();
	};

	return {
		get plan() {
			return plan;
		},
		get selected() {
			return plan.fields.find(({ key }) => key === selected);
		},
		get dragging() {
			return plan !== settled;
		},
		get canUndo() {
			return past.length > 0;
		},
		get canRedo() {
			return future.length > 0;
		},
		/** @param {() => void} listener */
		onChange(listener) {
			listeners.push(listener);
		},
		/** @param {number | null} key */
		select(key) {
			if (key === selected) return;
			selected = key;
			lastStep = '';
			tell();
		},
		/**
		 * Shows a change that is still going on.
		 * @param {Plan} next
		 */
		preview(next) {
			plan = next;
			tell();
		},
		/** Takes a preview back. */
		revert() {
			plan = settled;
			tell();
		},
		/**
		 * Makes a change that can be undone.
		 * @param {Plan} next @param {string} [step] changes in a row with the same name are undone together
		 */
		change(next, step = '') {
			if (step === '' || step !== lastStep) past = [...past, settled].slice(-MAX_STEPS);
			lastStep = step;
			future = [];
			plan = settled = next;
			tell();
		},
		undo() {
			const previous = past.pop();
			if (!previous) return;
			future.push(settled);
			lastStep = '';
			plan = settled = previous;
			tell();
		},
		redo() {
			const next = future.pop();
			if (!next) return;
			past.push(settled);
			lastStep = '';
			plan = settled = next;
			tell();
		},
	};
}

/**
 * The plan with one field changed.
 * @param {Plan} plan @param {number} key @param {Partial<Field>} changes
 * @returns {Plan}
 */
function withField(plan, key, changes) {
	return {
		...plan,
		fields: plan.fields.map((field) => (field.key === key ? { ...field, ...changes } : field)),
	};
}

/**
 * The plan with one recipient changed.
 * @param {Plan} plan @param {number} key @param {Partial<Recipient>} changes
 * @returns {Plan}
 */
function withRecipient(plan, key, changes) {
	return {
		...plan,
		recipients: plan.recipients.map((one) => (one.key === key ? { ...one, ...changes } : one)),
	};
}

/**
 * The plan without a recipient; the fields of that recipient stay, with nobody to fill them.
 * @param {Plan} plan @param {number} gone
 * @returns {Plan}
 */
function withoutRecipient({ recipients, fields }, gone) {
	return {
		recipients: recipients.filter(({ key }) => key !== gone),
		fields: fields.map((field) =>
			field.recipient === gone ? { ...field, recipient: null } : field,
		),
	};
}

/** Refuses only what can be no e-mail address anywhere; an n8n expression is left alone. */
const EMAIL = /^[^\s@"<>,;:()[\]\\]+@[^\s@"<>,;:()[\]\\.]+(\.[^\s@"<>,;:()[\]\\.]+)+$|\{\{/;

/**
 * What the user should know before using the JSON, most important first.
 * @param {Plan} plan @param {number} pageCount 0 while no file is open
 * @returns {string[]}
 */
function adviceOn({ recipients, fields }, pageCount) {
	/** @type {string[]} */
	const advice = [];
	const beyond = fields.filter(({ pageNumber }) => pageCount > 0 && pageNumber > pageCount).length;
	if (beyond > 0)
		advice.push(
			`${count(beyond, 'field is', 'fields are')} on a page that the open file does not have.`,
		);
	recipients.forEach((recipient, index) => {
		const { key, email } = recipient;
		const who = `${recipientName(recipient, index)} (${index + 1})`;
		if (email.trim() !== '' && !EMAIL.test(email.trim()))
			advice.push(`The email of ${who} is not an email address.`);
		const twin = recipients.findIndex((one) => sameEmail(one, recipient));
		if (twin < index)
			advice.push(
				`${who} has the email of recipient ${twin + 1}. Every recipient needs an own one.`,
			);
		const signs = fields.some((field) => field.recipient === key && field.type === 'SIGNATURE');
		const has = fields.some((field) => field.recipient === key);
		if (has && !signs)
			advice.push(
				`${who} has no Signature field. Every signer needs one before the document is sent.`,
			);
	});
	const nobody = fields.filter(({ recipient }) => recipient === null).length;
	if (nobody > 0) advice.push(`${count(nobody, 'field has', 'fields have')} no recipient.`);
	const pairs = [...overlaps(fields).values()].flat().length / 2;
	if (pairs > 0)
		advice.push(`${count(pairs, 'pair of fields overlaps', 'pairs of fields overlap')}.`);
	const choices = fields.filter(
		({ type, options }) =>
			(type === 'DROPDOWN' || type === 'RADIO_GROUP') && !options.dropdownOptions,
	).length;
	if (choices > 0) {
		const what = count(choices, 'field to choose from has', 'fields to choose from have');
		advice.push(`${what} no Options to Choose From.`);
	}
	return advice;
}

/** @param {Recipient} a @param {Recipient} b */
const sameEmail = (a, b) =>
	a === b ||
	(a.email.trim() !== '' && a.email.trim().toLowerCase() === b.email.trim().toLowerCase());

/** @param {number} number @param {string} one @param {string} many */
const count = (number, one, many) => `${number} ${number === 1 ? one : many}`;
