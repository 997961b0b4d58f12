import { variantsIn } from '../../nodes/ESign/operation/completedFiles';

it.each<[unknown, string[]]>([
	[
		['certificate', 'signed'],
		['signed', 'certificate'],
	],
	// A program may give one without a list.
	['certificate', ['certificate']],
	[['original', 7], []],
	[null, []],
	[undefined, []],
])('Of %j the files %j are downloaded', (selected, files) => {
	expect(variantsIn(selected)).toEqual(files);
});
