// @ts-check
/* The list of recipients. */

/** @param {ReturnType<typeof createStore>} store */
function showRecipients(store) {
	const list = byId('recipients', HTMLElement);
	const adding = byId('add-recipient', HTMLButtonElement);

	/** @param {Recipient} recipient */
	function newRow({ key }) {
		const badge = make('span', { className: 'badge' });
		const name = make('input', { type: 'text', placeholder: 'Name', autocomplete: 'off' });
		const email = make('input', {
			type: 'text',
			placeholder: 'Email',
			inputMode: 'email',
			autocomplete: 'off',
		});
		const remove = make('button', { type: 'button', className: 'quiet' }, 'Remove');
		email.maxLength = 190;
		name.maxLength = 160;
		name.addEventListener('input', () => {
			store.change(withRecipient(store.plan, key, { name: name.value }), `name ${key}`);
		});
		email.addEventListener('input', () => {
			store.change(withRecipient(store.plan, key, { email: email.value }), `email ${key}`);
		});
		remove.addEventListener('click', () => {
			const place = store.plan.recipients.findIndex((one) => one.key === key);
			store.change(withoutRecipient(store.plan, key));
			const row = list.children[Math.min(place, list.children.length - 1)];
			(row?.querySelector('input') ?? adding).focus();
			announce(`Recipient ${place + 1} removed. Fields of this recipient have none now.`);
		});
		return make('li', {}, badge, name, email, remove);
	}

	function update() {
		const { recipients } = store.plan;
		fill(
			list,
			recipients,
			({ key }) => key,
			newRow,
			(row, { name, email }, index) => {
				const [badge, nameInput, emailInput, remove] = [...row.children];
				const label = `recipient ${index + 1}`;
				row.className = markOf(index);
				if (badge instanceof HTMLElement) setText(badge, badgeOf(index));
				if (nameInput instanceof HTMLInputElement) setValue(nameInput, name);
				if (emailInput instanceof HTMLInputElement) setValue(emailInput, email);
				if (nameInput) nameInput.ariaLabel = `Name of ${label}`;
				if (emailInput) emailInput.ariaLabel = `Email of ${label}`;
				if (remove) remove.ariaLabel = `Remove ${label}`;
			},
		);
		adding.disabled = recipients.length >= MAX_RECIPIENTS;
	}

	adding.addEventListener('click', () => {
		const { plan } = store;
		store.change({
			...plan,
			recipients: [...plan.recipients, { key: newKey(), name: '', email: '' }],
		});
		list.lastElementChild?.querySelector('input')?.focus();
	});
	store.onChange(update);
}
