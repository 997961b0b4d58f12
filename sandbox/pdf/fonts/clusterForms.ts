import type { Cluster } from './glyphs';
import type { ShapedCluster, ShapedText } from './shapedText';

/** What one document embeds of a font for texts of one direction: each cluster of letters in each of its forms. */
export class ClusterForms {
	private readonly byHash = new Map<number, Array<{ shaped: ShapedCluster; cluster: Cluster }>>();

	/** What was embedded for a cluster that reads and looks like the one at which `shaped` stands. */
	find(shaped: ShapedText): Cluster | undefined {
		const forms = this.byHash.get(shaped.hash);
		if (forms) for (const form of forms) if (shaped.equals(form.shaped)) return form.cluster;
		return undefined;
	}

	/** Notes what was embedded for the cluster at which `shaped` stands. */
	add(shaped: ShapedText, cluster: Cluster): void {
		const form = { shaped: shaped.cluster(), cluster };
		if (!this.byHash.get(shaped.hash)?.push(form)) this.byHash.set(shaped.hash, [form]);
	}
}
