import { join, resolve } from 'node:path'
import type { GraphqlClient } from '../../client/graphql-client.ts'
import { loadDocument } from '../../documents/read/load.ts'
import { counted } from '../../lib/counted.ts'
import { isObject } from '../../lib/json.ts'
import { GENERATED } from '../../records/secret.ts'
import type { Io } from '../../shell/io.ts'
import { writeNew } from '../init/write-new.ts'
import { modeline } from '../models/export-files.ts'
import { readModels } from '../models/model-source.ts'
import { NO_REFERENCES } from '../models/reference-resolver.ts'
import { SECRET_FIELDS } from '../../documents/secret-fields.ts'
import type { Step } from './ensure-rules.ts'
import { CREATE_MACHINE_USER, MACHINE_USERS, type MachineUsersAnswer } from './trust-queries.ts'

/** The machine users that the models describe; null if the models do not manage machine users. */
export function describedUsers(models: string, { cwd }: Pick<Io, 'cwd'>): ReadonlySet<string> | null {
  const { files } = readModels(models, cwd)
  const list = loadDocument(files, NO_REFERENCES, { secretFields: SECRET_FIELDS }).document.machineUsers
  if (!Array.isArray(list)) return null
  return new Set(list.flatMap((user: unknown) => (isObject(user) ? [String(user['username'])] : [])))
}

/** The machine users of the platform, and the number of those that are not wanted here. */
interface PresentUsers {
  readonly statuses: ReadonlyMap<string, string>
  readonly others: number
}

export async function presentUsers(request: GraphqlClient, names: readonly string[]): Promise<PresentUsers> {
  const { asked, all } = await request<MachineUsersAnswer>(MACHINE_USERS, { keys: names })
  const statuses = new Map(asked.nodes.map(({ username, status }) => [username, status]))
  return { statuses, others: all.totalCount - statuses.size }
}

/**
 * Creates the machine users on the platform at once, so that jobs can sign in before the models that describe them
 * are merged.
 */
export async function ensureOnPlatform(
  request: GraphqlClient,
  names: readonly string[],
  { statuses }: PresentUsers,
): Promise<Step[]> {
  const steps: Step[] = []
  for (const username of names) {
    const status = statuses.get(username)
    if (status === undefined) await request(CREATE_MACHINE_USER, { input: { username, password: GENERATED } })
    const warning = status === undefined || status === 'ACTIVATED' ? '' : `; it is ${status}, so it cannot sign in`
    steps.push({ done: status === undefined ? 'made' : 'kept', what: `machine user ${username}${warning}` })
  }
  return steps
}

/** The name of a file of the models, and its machine users. */
interface UsersFile {
  readonly name: string
  readonly comment: string
}

/**
 * Writes the machine users into a separate file, so that no existing file is changed. If the models do not manage
 * machine users and the platform has others, it writes nothing: a list of two would delete all others.
 */
export async function ensureInModels(
  names: readonly string[],
  described: ReadonlySet<string> | null,
  present: PresentUsers,
  file: UsersFile,
  models: string,
  io: Io,
): Promise<Step> {
  const missing = names.filter((name) => described?.has(name) !== true)
  const path = join(models, file.name)
  if (missing.length === 0) return { done: 'kept', what: `${models}: it describes the machine users already` }
  const reason = described === null ? whyUnmanaged(models, present) : null
  if (reason !== null) return { done: 'kept', what: `${path}: not written, since ${reason}` }
  const directory = resolve(io.cwd, models)
  const text = `${modeline(directory)}\n# ${file.comment}\nmachineUsers:\n${linesOf(missing)}`
  if (await writeNew(directory, models, { path: file.name, text })) return { done: 'wrote', what: path }
  return { done: 'kept', what: `${path}: it is there; add to its machineUsers:\n${linesOf(missing)}`.trimEnd() }
}

/** The reason not to manage machine users in these models; null if a list of them deletes nobody. */
function whyUnmanaged(models: string, { statuses, others }: PresentUsers): string | null {
  const silent = `${models} describes no machine users`
  if (others > 0) return `${silent}, and the platform has ${counted(others, 'other')}, which a list would delete`
  return statuses.size > 0 ? `${silent}, and the platform has these: other models may describe them` : null
}

function linesOf(names: readonly string[]): string {
  return names.map((name) => `  - username: ${name}\n    password: ${GENERATED}\n`).join('')
}
