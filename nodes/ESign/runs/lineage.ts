import type { IExecuteFunctions, INodeExecutionData, IRunExecutionData } from 'n8n-workflow';

/** What an item comes from in this execution, the nearest first: what each node before has put out. */
export function* ancestorsOf(context: IExecuteFunctions, itemIndex: number): Generator<INodeExecutionData> {
	const data = 'runExecutionData' in context ? (context.runExecutionData as IRunExecutionData | null) : null;
	let item = context.getInputData()[itemIndex];
	let sources = context.getExecuteData().source?.main;
	while (item) {
		const [paired] = [item.pairedItem].flat();
		const { item: at = -1, input = 0, sourceOverwrite } = typeof paired === 'object' ? paired : { item: paired };
		const source = sourceOverwrite ?? sources?.[input];
		const task = source && data?.resultData.runData[source.previousNode]?.[source.previousNodeRun ?? 0];
		item = task?.data?.main?.[source?.previousNodeOutput ?? 0]?.[at];
		if (item) yield item;
		sources = task?.source;
	}
}
