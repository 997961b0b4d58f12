import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../../http/errors';
import { pageSizes } from '../../pdf';
import type { SandboxService, SigningView } from '../../acts/service';
import { inputName, labelOfField } from './fieldInput';
import { formTexts } from '../form';
import { messagePage, sendPage, type HtmlPage } from '../page';
import { PinLock } from './pinLock';
import { signingPage, type SigningPageInput } from './signingPage';
import { expiredLink, lockedPage, pinPage, standingPage, unknownLink } from './standingPages';

/** A person in front of their document, and how they got here. */
interface Visit {
	signing: SigningView;
	/** Address of the page, without its query. */
	path: string;
	/** Proof that the pin was entered, and the public link the person came through. */
	proof: string | undefined;
	from: string | undefined;
	/** Where to go after signing. */
	redirectUrl: string | null;
}

type SigningRequest = FastifyRequest<{
	Params: { token: string };
	Querystring: Record<string, string | undefined>;
}>;

type Finder = (request: SigningRequest) => Visit | 'expired' | undefined;

/**
 * `/sign/<token>` from invitations and `/embed/<token>` inside other applications: the same page,
 * found differently.
 */
export function serveSigning(app: FastifyInstance, service: SandboxService): void {
	const lock = new PinLock();
	serveAt(app, service, lock, '/sign', ({ params, query }) => {
		const signing = service.signing(params.token);
		const from = query['from'];
		const redirectUrl = from ? (service.link(from)?.redirectUrl ?? null) : null;
		return (
			signing && {
				signing,
				path: `/sign/${params.token}`,
				proof: query['proof'],
				from,
				redirectUrl,
			}
		);
	});
	serveAt(app, service, lock, '/embed', ({ params, query }) => {
		const signing = service.embed(params.token);
		if (signing === undefined || signing === 'expired') return signing;
		const { redirectUrl } = signing;
		return {
			signing,
			path: `/embed/${params.token}`,
			proof: query['proof'],
			from: undefined,
			redirectUrl,
		};
	});
}

function serveAt(
	app: FastifyInstance,
	service: SandboxService,
	lock: PinLock,
	prefix: string,
	find: Finder,
): void {
	const framed = (page: HtmlPage): HtmlPage => ({
		...page,
		frameAncestors: service.workspace().embedOrigins,
	});
	const send = (reply: FastifyReply, page: HtmlPage) => sendPage(reply, framed(page));
	type Act = (
		visit: Visit,
		request: SigningRequest,
		reply: FastifyReply,
	) => Promise<FastifyReply> | FastifyReply;

	/** Finds the person, and asks for the pin before anything of the document is shown or done. */
	const visited =
		(act: Act) =>
		async (request: SigningRequest, reply: FastifyReply): Promise<FastifyReply> => {
			const visit = find(request);
			if (visit === undefined) return send(reply, unknownLink());
			if (visit === 'expired') return send(reply, expiredLink());
			const { recipient } = visit.signing;
			if (recipient.hasPin && !lock.opens(recipient.id, visit.proof)) {
				return send(
					reply,
					recipient.isLocked ? lockedPage() : pinPage(address(visit, '/pin'), false),
				);
			}
			return act(visit, request, reply);
		};

	app.get(
		`${prefix}/:token`,
		visited(async (visit, request, reply) => {
			const { signing } = visit;
			if (!signing.maySign) {
				const finished = service.finishedPdf(signing.document.id, 'signed') !== null;
				return send(
					reply,
					standingPage(signing, finished ? address(visit, '/document.pdf') : null),
				);
			}
			await service.view(signing.recipient.id);
			const current = find(request);
			return show(typeof current === 'object' ? current : visit, reply, null);
		}),
	);

	app.post(`${prefix}/:token/pin`, async (request: SigningRequest, reply) => {
		const visit = find(request);
		if (typeof visit !== 'object')
			return reply.redirect(`${prefix}/${encodeURIComponent(request.params.token)}`, 303);
		const { id } = visit.signing.recipient;
		if (!service.enterPin(id, formTexts(request)['pin'] ?? '')) {
			const now = find(request);
			const isLocked = typeof now === 'object' && now.signing.recipient.isLocked;
			return send(reply, isLocked ? lockedPage() : pinPage(address(visit, '/pin'), true));
		}
		return reply.redirect(address({ ...visit, proof: lock.proofFor(id) }), 303);
	});

	app.post(
		`${prefix}/:token/sign`,
		visited(async (visit, request, reply) => {
			const { signing } = visit;
			const entered = enteredValues(signing, formTexts(request));
			try {
				await service.sign(signing.recipient.id, { values: entered });
			} catch (error) {
				if (!(error instanceof ApiError)) throw error;
				if (!signing.maySign) return reply.redirect(address(visit), 303);
				return show(
					visit,
					reply,
					{ entered, problems: problemsOf(error, signing) },
					error.statusCode,
				);
			}
			return reply.redirect(visit.redirectUrl ?? address(visit), 303);
		}),
	);

	app.post(
		`${prefix}/:token/decline`,
		visited(async (visit, _request, reply) => {
			if (visit.signing.maySign) await service.decline(visit.signing.recipient.id);
			return reply.redirect(address(visit), 303);
		}),
	);

	app.get(
		`${prefix}/:token/document.pdf`,
		visited(({ signing }, _request, reply) => {
			const { id } = signing.document;
			const bytes = service.finishedPdf(id, 'signed') ?? service.sourcePdf(id);
			if (!bytes)
				return send(reply, {
					...messagePage('No document', 'There is nothing to show yet.'),
					status: 404,
				});
			return reply.type('application/pdf').header('cache-control', 'no-store').send(bytes);
		}),
	);

	async function show(
		visit: Visit,
		reply: FastifyReply,
		refused: SigningPageInput['refused'],
		status = 200,
	) {
		const source = service.sourcePdf(visit.signing.document.id);
		const sizes = source && (await pageSizes(source));
		const paths = {
			sign: address(visit, '/sign'),
			decline: address(visit, '/decline'),
			pdf: address(visit, '/document.pdf'),
		};
		const page = signingPage({ signing: visit.signing, sizes, paths, refused });
		return send(reply, { ...page, status, formTarget: visit.redirectUrl });
	}
}

/** The address of the page or one of its acts, with all that must not get lost between them. */
function address({ path, proof, from }: Visit, act = ''): string {
	const query = new URLSearchParams({ ...(proof && { proof }), ...(from && { from }) }).toString();
	return path + act + (query && `?${query}`);
}

/** An unticked box is not sent by browsers at all; where an answer is not demanded, it means no. */
function enteredValues(
	{ fields }: SigningView,
	texts: Record<string, string>,
): Record<string, string> {
	return Object.fromEntries(
		fields
			.filter(({ editable }) => editable)
			.map(({ id, type, required }) => [
				id,
				texts[inputName(id)] ?? (type === 'CHECKBOX' && !required ? 'false' : ''),
			])
			.filter(([, value]) => value !== ''),
	);
}

function problemsOf(
	{ message, details = [] }: ApiError,
	{ fields }: SigningView,
): Record<string, string> {
	const problems = details.flatMap((detail) => {
		const field = fields.find(({ id }) => detail.field === `values.${id}`);
		return field ? [[field.id, `${labelOfField(field)} ${detail.message}`]] : [];
	});
	return problems.length > 0 ? Object.fromEntries(problems) : { '': message };
}
