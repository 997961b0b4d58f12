import { NDA_TEXT, OFFER_TEXT } from './contracts';
import { addTemplate, type NewTemplate } from '../templates/templates';
import { MODES } from '../state/vocabulary';
import type { World } from '../state/world';

type Seed = Omit<NewTemplate, 'mode'>;

const NDA: Seed = {
	name: 'Mutual NDA',
	description: 'Confidentiality between two companies',
	text: NDA_TEXT,
	status: 'PUBLISHED',
	roles: [
		{ role: 'Client', type: 'SIGNER' },
		{ role: 'Company', type: 'SIGNER' },
	],
	fields: [
		{
			field_key: 'client_company',
			type: 'TEXT',
			role: 'Client',
			required: true,
			page: 1,
			xNorm: 0.1,
			yNorm: 0.205,
		},
		{
			field_key: 'term_months',
			type: 'NUMBER',
			role: 'Client',
			required: true,
			page: 1,
			xNorm: 0.1,
			yNorm: 0.265,
		},
		{
			field_key: 'effective_date',
			type: 'DATE',
			role: 'Company',
			required: true,
			page: 1,
			xNorm: 0.52,
			yNorm: 0.205,
			customFieldId: 'custom_effective_date',
		},
		{
			field_key: 'governing_law',
			type: 'DROPDOWN',
			role: 'Company',
			required: true,
			page: 1,
			xNorm: 0.52,
			yNorm: 0.265,
			dropdownOptions: ['England and Wales', 'Delaware', 'Germany'],
		},
		{
			field_key: null,
			type: 'SIGNATURE',
			role: 'Client',
			required: true,
			page: 1,
			xNorm: 0.1,
			yNorm: 0.82,
			heightNorm: 0.06,
		},
		{
			field_key: 'client_signed_on',
			type: 'DATE',
			role: 'Client',
			required: true,
			page: 1,
			xNorm: 0.1,
			yNorm: 0.9,
			heightNorm: 0.03,
		},
		{
			field_key: null,
			type: 'SIGNATURE',
			role: 'Company',
			required: true,
			page: 1,
			xNorm: 0.52,
			yNorm: 0.82,
			heightNorm: 0.06,
		},
	],
};

const OFFER_LETTER: Seed = {
	name: 'Offer Letter',
	description: 'Offer of employment, copied to Human Resources',
	text: OFFER_TEXT,
	status: 'PUBLISHED',
	roles: [
		{ role: 'Candidate', type: 'SIGNER' },
		{ role: 'HR', type: 'CC' },
	],
	fields: [
		{
			field_key: 'position',
			type: 'TEXT',
			role: 'Candidate',
			required: true,
			page: 1,
			xNorm: 0.1,
			yNorm: 0.24,
		},
		{
			field_key: 'salary',
			type: 'NUMBER',
			role: 'Candidate',
			required: true,
			page: 1,
			xNorm: 0.52,
			yNorm: 0.24,
		},
		{
			field_key: 'notes',
			type: 'TEXTAREA',
			role: 'Candidate',
			required: false,
			page: 1,
			xNorm: 0.1,
			yNorm: 0.72,
			widthNorm: 0.8,
			heightNorm: 0.06,
		},
		{
			field_key: 'relocation',
			type: 'CHECKBOX',
			role: 'Candidate',
			required: false,
			page: 1,
			xNorm: 0.1,
			yNorm: 0.665,
			widthNorm: 0.03,
			heightNorm: 0.021,
		},
		{
			field_key: 'candidate_phone',
			type: 'PHONE',
			role: 'Candidate',
			required: false,
			page: 1,
			xNorm: 0.1,
			yNorm: 0.84,
		},
		{
			field_key: 'candidate_signature',
			type: 'SIGNATURE',
			role: 'Candidate',
			required: true,
			page: 1,
			xNorm: 0.52,
			yNorm: 0.82,
			heightNorm: 0.06,
		},
	],
};

const UNFINISHED: Seed = {
	name: 'Consulting Agreement (draft)',
	description: null,
	status: 'DRAFT',
	roles: [{ role: 'Consultant', type: 'SIGNER' }],
	fields: [{ field_key: null, type: 'SIGNATURE', role: 'Consultant', required: true, page: 1 }],
};

/** What a workspace has to begin with (sandbox/README.md), in both modes. */
export function seed(world: World): void {
	Object.assign(world.state.workspace, {
		embedOrigins: ['https://app.example.com'],
		entitlements: ['template_share_links_enabled'],
	});
	for (const mode of MODES) {
		for (const template of [UNFINISHED, OFFER_LETTER, NDA])
			addTemplate(world, { ...template, mode });
	}
}
