/** In points from the top left corner of the page as it is seen. */
export interface Box {
	left: number;
	top: number;
	right: number;
	bottom: number;
}

/** The smallest box around others. */
export function around(...boxes: readonly Box[]): Box {
	return {
		left: Math.min(...boxes.map(({ left }) => left)),
		top: Math.min(...boxes.map(({ top }) => top)),
		right: Math.max(...boxes.map(({ right }) => right)),
		bottom: Math.max(...boxes.map(({ bottom }) => bottom)),
	};
}

/** How far two boxes lie over each other; below zero, how far they are apart. */
export function overlap(one: Box, other: Box): { width: number; height: number } {
	return {
		width: Math.min(one.right, other.right) - Math.max(one.left, other.left),
		height: Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top),
	};
}
