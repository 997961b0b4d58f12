import { n8nCommunityNodesPlugin } from '@n8n/eslint-plugin-community-nodes';
import n8nNodesBase from 'eslint-plugin-n8n-nodes-base';
import regexp from 'eslint-plugin-regexp';
import tseslint from 'typescript-eslint';

const published = ['nodes/**/*.ts', 'credentials/**/*.ts'];

/** The strict gate of n8n's package scan over what is published; the TypeScript rules over everything else too. */
export default tseslint.config(
	{
		ignores: [
			'dist/',
			'.stryker-tmp/',
			'node_modules/',
			'**/*.js',
			'**/*.mjs',
			'bench/results/',
			'demo/output/',
		],
	},
	{ ignores: ['!docs/place-fields/scripts/**/*.js'] },
	{ plugins: { 'n8n-nodes-base': n8nNodesBase } },
	{
		files: ['**/*.ts'],
		extends: [tseslint.configs.recommended],
		rules: {
			'@typescript-eslint/no-explicit-any': 'error',
			'@typescript-eslint/consistent-type-imports': 'error',
		},
	},
	{
		// Classic scripts: what one of them defines, another uses.
		files: ['docs/place-fields/scripts/**/*.js'],
		languageOptions: { sourceType: 'script' },
		extends: [tseslint.configs.recommended],
		rules: {
			'@typescript-eslint/no-unused-vars': ['error', { vars: 'local', ignoreRestSiblings: true }],
		},
	},
	{
		// What a stranger sends must not be able to keep a regular expression busy.
		files: [...published, 'sandbox/**/*.ts'],
		plugins: { regexp },
		rules: {
			'regexp/no-super-linear-backtracking': ['error', { report: 'potential' }],
			'regexp/no-super-linear-move': ['error', { report: 'potential', ignoreSticky: false }],
		},
	},
	{
		// Sticky patterns are tried at one place, in a text of limited length, and all of them count as work.
		files: ['nodes/ESign/pdf/**/*.ts'],
		rules: {
			'regexp/no-super-linear-move': ['error', { report: 'potential', ignoreSticky: true }],
		},
	},
	{
		files: [...published, 'package.json'],
		extends: [n8nCommunityNodesPlugin.configs.recommended],
		linterOptions: { noInlineConfig: true },
	},
	{
		files: ['package.json'],
		languageOptions: { parser: tseslint.parser, parserOptions: { extraFileExtensions: ['.json'] } },
		rules: n8nNodesBase.configs.community.rules,
	},
	{
		files: ['credentials/**/*.ts'],
		rules: {
			...n8nNodesBase.configs.credentials.rules,
			// Asks for a page name of n8n's own docs; its sister rule for community packages, which stays on, asks for a URL.
			'n8n-nodes-base/cred-class-field-documentation-url-miscased': 'off',
		},
	},
	{ files: ['nodes/**/*.ts'], rules: n8nNodesBase.configs.nodes.rules },
);
