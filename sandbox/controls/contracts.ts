import type { TextBlock } from '../state/entities';

/** What stands in the seed's two templates; their fields stand between, by the seed. */

const NDA_CLAUSES = [
	'1. Purpose. The parties want to find out whether they will do business together (the "Purpose"). For this, each of them may give the other information that is not public.',
	'2. Confidential information. Whatever a party gives to the other in any form, and marks as confidential or a reasonable person would take to be confidential, is confidential information. It remains the property of the party that gave it.',
	'3. Duties. The receiving party uses confidential information for the Purpose only, keeps it as safe as its own, and gives it only to employees and advisers who need it for the Purpose and are bound in the same way.',
	'4. Exceptions. These duties do not apply to what is or becomes public without a breach, what the receiving party knew before or developed by itself, and what a court or an authority requires it to disclose. It informs the other party first, where the law permits.',
	'5. Term. This agreement begins on the effective date and ends after the term stated above. The duties of clause 3 continue for two years after its end.',
	'6. Return. On request, each party returns or deletes the confidential information of the other within 30 days, except for copies that the law requires it to keep.',
	'7. No licence. Nothing in this agreement grants a right to a patent, a trade mark or a work, or obliges a party to enter into another contract.',
	'8. General. Changes need the written consent of both parties. If a clause is void, the others remain in force. The law stated above applies.',
];

export const NDA_TEXT: TextBlock[] = [
	{
		yNorm: 0.115,
		heightNorm: 0.06,
		text: 'This mutual non-disclosure agreement is made between the Client and the Company, who sign below. It applies to information that either of them gives to the other.',
	},
	{ yNorm: 0.325, heightNorm: 0.44, text: NDA_CLAUSES.join('\n\n') },
	{ yNorm: 0.775, heightNorm: 0.02, text: 'Signed by the Client and by the Company:' },
];

const OFFER_CLAUSES = [
	"1. Employment. You will work for us in the position stated above, full time, from the first working day of the month after we have received this letter signed. The first six months are a probation period, during which either side may give two weeks' notice.",
	'2. Pay. Your yearly salary is stated above, before tax. It is paid in twelve equal parts at the end of each month. We review it every year in March.',
	'3. Working time and leave. A working week has 38 hours. You have 28 days of paid leave in each calendar year, in addition to public holidays.',
	'4. Confidentiality. You keep the business information of the company and of its customers confidential, also after your employment has ended.',
	"5. Notice. After the probation period, either side may end the employment with three months' notice to the end of a month.",
	'6. Conditions. This offer depends on your permission to work in this country, and lapses if we have not received it signed within 30 days.',
];

export const OFFER_TEXT: TextBlock[] = [
	{
		yNorm: 0.115,
		heightNorm: 0.09,
		text: 'Dear Candidate,\n\nThank you for the conversations of the last weeks. We are pleased to offer you employment on the terms of this letter. Please sign it if you accept them. Human Resources receives a copy.',
	},
	{ yNorm: 0.305, heightNorm: 0.33, text: OFFER_CLAUSES.join('\n\n') },
];
