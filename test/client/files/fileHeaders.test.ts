import { fileNameIn } from '../../../nodes/ESign/client/files/fileHeaders';

it.each([
	[undefined, undefined],
	['attachment', undefined],
	[`attachment; filename*=UTF-8''Vertrag%20%C3%84.pdf; filename="x.pdf"`, 'Vertrag Ä.pdf'],
	[`attachment; filename*=UTF-8''%zz; filename="x.pdf"`, 'x.pdf'],
	['attachment; filename=plain.pdf', 'plain.pdf'],
	['attachment; filename="../../etc/pass\\"wd"', 'pass"wd'],
	['attachment; filename="C:\\\\Windows\\\\evil.pdf"', 'evil.pdf'],
	[`attachment; filename*=UTF-8''..%2F..%2Fevil.pdf`, 'evil.pdf'],
	[`attachment; filename*=UTF-8''a%0D%0Ab%00%1B.pdf`, 'ab.pdf'],
	[`attachment; filename*=UTF-8''contract%E2%80%AEfdp.exe`, 'contractfdp.exe'],
	[`attachment; filename*=UTF-8''${'%C3%84'.repeat(125)}x.pdf`, `${'Ä'.repeat(125)}x.pdf`],
	[`attachment; filename*=UTF-8''${'%C3%84'.repeat(126)}.pdf`, undefined],
	['attachment; filename=".."', undefined],
	['attachment; filename="a/."', undefined],
])('The name of a file in %s', (disposition, fileName) => {
	expect(fileNameIn({ 'content-disposition': disposition })).toBe(fileName);
});
