/** Puts a button behind each ID, key and address that people copy. */

for (const code of document.querySelectorAll('[data-copy]')) {
	const button = document.createElement('button');
	button.type = 'button';
	button.className = 'copy';
	const about = document.createElement('span');
	about.className = 'hidden';
	about.textContent = code.textContent;
	button.append('Copy ', about);
	button.addEventListener('click', () => copy(code, button.firstChild));
	code.after(' ', button);
}

/** Says so on the button. What may not be copied is selected, ready for the keyboard. */
async function copy(code, label) {
	try {
		await navigator.clipboard.writeText(code.textContent);
		label.data = 'Copied ';
	} catch {
		getSelection().selectAllChildren(code);
	}
}
