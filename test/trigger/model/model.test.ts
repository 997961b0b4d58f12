import { SEED, sized } from '../../support/nightly';
import { seededRandom } from '../../support/seededRandom';
import { Scene } from '../support/scene';
import { STEPS } from './steps';
import { World } from './world';

const STORIES = sized(12, 200);
const STEPS_EACH = 14;

const scene = new Scene();

describe('Whatever happens to n8n and the service, in any order', () => {
	it.each(Array.from({ length: STORIES }, (_, story) => SEED + story))(
		'at rest there is one endpoint per active trigger, its secret verifies, and each event ran once or is named (%i)',
		async (seed) => {
			scene.n8n.waitsForLook = false;
			const world = new World(scene, seededRandom(seed));
			for (const workflow of world.workflows) await scene.n8n.activate(workflow);
			const story: string[] = [];
			try {
				for (let left = STEPS_EACH; left > 0; left--) {
					const { name, run } = world.choose(
						...STEPS.filter(({ isPossible }) => isPossible(world)),
					);
					story.push(name);
					await run(world);
				}
				await world.rest();
			} catch (cause) {
				throw new Error(`After ${story.join(', ')}: ${(cause as Error).message}`, { cause });
			}
		},
	);
});
