/** How many times faster than the computer's clock time passes once this module is loaded. */
const SPEED = 10;

const start = Date.now();
const now = Date.now.bind(Date);

Date.now = () => start + (now() - start) * SPEED;

/** n8n's `sleep` in this faster time, so that the transport's pauses between attempts do not hold the tests up. */
export async function fastSleep(milliseconds: number): Promise<void> {
	await new Promise((resolve) => setTimeout(resolve, milliseconds / SPEED));
}
