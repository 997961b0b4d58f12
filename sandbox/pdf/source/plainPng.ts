import { PDFHexString, type PDFDocument, type PDFRef } from 'pdf-lib';
import type { SoundPng } from './pngPicture';

/** Colours of a pixel, by the colour types that have no transparency of their own. */
const COLORS: Record<number, number> = { 0: 1, 2: 3, 3: 1 };

/**
 * Embeds a picture as it is packed, without decoding it: PDF has the filters of PNG (ISO 32000-1,
 * 7.4.4.4, predictor 15). A scan of 50 million pixels takes no time this way, and pdf-lib's decoder
 * ten seconds. Undefined for what PDF keeps differently: transparency and interlacing.
 */
export function embedPlainPng(
	{ context }: PDFDocument,
	{ bytes, imageData, palette, isTransparent }: SoundPng,
): { ref: PDFRef; width: number; height: number } | undefined {
	const header = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	const [width, height] = [header.readUInt32BE(16), header.readUInt32BE(20)];
	const [depth, colorType, interlaced] = [24, 25, 28].map((at) => header.readUInt8(at));
	const colors = COLORS[colorType ?? -1];
	if (colors === undefined || isTransparent || interlaced !== 0) return undefined;
	if (colorType === 3 && !palette) return undefined;

	const indexed = palette && [
		'Indexed',
		'DeviceRGB',
		palette.length / 3 - 1,
		PDFHexString.of(palette.toString('hex')),
	];
	const gray = colors === 1 ? 'DeviceGray' : 'DeviceRGB';
	const picture = context.stream(imageData, {
		Type: 'XObject',
		Subtype: 'Image',
		Width: width,
		Height: height,
		ColorSpace: colorType === 3 ? indexed : gray,
		BitsPerComponent: depth,
		Filter: 'FlateDecode',
		DecodeParms: { Predictor: 15, Colors: colors, BitsPerComponent: depth, Columns: width },
	});
	return { ref: context.register(picture), width, height };
}
