import { isUuid } from '../../lib/uuid.ts'
import type { RunNumber } from '../forge/job.ts'

const MARKER_KINDS = ['plan', 'queue', 'apply', 'drift'] as const

/** The purpose of a comment or an issue. */
type MarkerKind = (typeof MARKER_KINDS)[number]

/** The data that a comment carries about itself in its last line, as an HTML comment. */
export interface Marker {
  readonly kind: MarkerKind
  /** The address of the platform, which names one domain. */
  readonly platform: string
  /** The directory of the models, from the root of the repository: one platform may have several. */
  readonly models: string
  /** The commit whose models were planned. */
  readonly commit: string
  readonly run: RunNumber
  /** Null if there is no plan. */
  readonly digest: string | null
  /** The packed effects of the plan; absent if they are too large. */
  readonly changes?: string
  /** The apply of the plan, once there is one. */
  readonly applied?: string
}

/** The default directory of the models, for workflows and for markers that name no directory. */
export const USUAL_MODELS = 'models'

export function markerLine({ kind, platform, models, commit, run, digest, applied, changes }: Marker): string {
  const directory = models === USUAL_MODELS ? undefined : models
  const fields = { platform, models: directory, commit, run: `${run.id}.${run.attempt}`, digest, applied, changes }
  const words = Object.entries(fields).flatMap(([name, value]) =>
    value === null || value === undefined ? [] : [`${name}=${encoded(value)}`],
  )
  return `<!-- holdfast ${kind} ${words.join(' ')} -->`
}

/** Reads only the last line, because names from outside in the lines above may look like a marker. */
export function readMarker(body: string): Marker | null {
  const line = body.trimEnd().split('\n').at(-1) ?? ''
  const [, word, words = ''] = /^<!-- holdfast (\w+) ([^\s=]+=\S*(?: [^\s=]+=\S*)*) -->$/.exec(line) ?? []
  const kind = MARKER_KINDS.find((one) => one === word)
  if (kind === undefined) return null
  const field = fieldsOf(words)
  const [id, attempt] = (field('run') ?? '').split('.').map(Number)
  const [platform, commit, changes] = [field('platform'), field('commit'), field('changes')]
  const models = field('models') ?? USUAL_MODELS
  const applied = uuidIn(field('applied'))
  if (platform === undefined || !isCommit(commit) || !Number.isSafeInteger(id)) return null
  const run = { id: id ?? 0, attempt: attempt ?? 1 }
  const digest = digestIn(field('digest'))
  return {
    kind,
    platform,
    models,
    commit,
    run,
    digest,
    ...(changes !== undefined && { changes }),
    ...(applied !== undefined && { applied }),
  }
}

// Everyone with write access can edit our comments, and the content of a marker reaches logs and commands. So it is
// checked.

function isCommit(text: string | undefined): text is string {
  return text !== undefined && /^[0-9a-f]{40,64}$/.test(text)
}

function digestIn(text: string | undefined): string | null {
  return text !== undefined && /^sha256:[0-9a-f]{64}$/.test(text) ? text : null
}

function uuidIn(text: string | undefined): string | undefined {
  return text !== undefined && isUuid(text) ? text : undefined
}

function fieldsOf(words: string): (name: string) => string | undefined {
  const fields = new Map(words.split(' ').map((word) => [word.split('=', 1)[0], word.slice(word.indexOf('=') + 1)]))
  return (name) => decoded(fields.get(name))
}

function decoded(text: string | undefined): string | undefined {
  try {
    return text === undefined ? undefined : decodeURIComponent(text)
  } catch {
    return undefined
  }
}

/** Encodes all characters that could end the HTML comment or a word in it. */
function encoded(text: string): string {
  return encodeURIComponent(text.toWellFormed())
    .replace(/[!'()*~]/g, (character) => `%${character.charCodeAt(0).toString(16)}`)
    .replaceAll('--', '%2d%2d')
    .replaceAll('%3A', ':')
    .replaceAll('%2F', '/')
}
