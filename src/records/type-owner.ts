import { isObject } from '../lib/json.ts'
import { withoutTrailing } from '../lib/without-trailing.ts'

/**
 * The repository and folder whose jobs apply a record type. Issuer and id come from a verified token. After a rename,
 * others can take the name, but an id is never used again.
 */
export interface RepositoryOwner {
  readonly kind: 'repository'
  readonly issuer: string
  readonly id: string
  /** The name for people, from the last token: `acme/models`. */
  readonly name: string
  /** The folder of the models, relative to the root of the repository (`.` for the root); null if not sent. */
  readonly folder: string | null
}

/** A name that holdfast.yaml gives to models that are applied without a token of a forge. */
interface NamedOwner {
  readonly kind: 'named'
  readonly name: string
}

/** The repository that older releases stored with an apply. No token has confirmed it. */
interface RecordedOwner {
  readonly kind: 'recorded'
  readonly name: string
}

export type TypeOwner = RepositoryOwner | NamedOwner | RecordedOwner

const TEXTS: { readonly [kind in TypeOwner['kind']]: readonly string[] } = {
  repository: ['issuer', 'id', 'name'],
  named: ['name'],
  recorded: ['name'],
}

/** Tells whether a stored value is an owner. */
export function isTypeOwner(value: unknown): value is TypeOwner {
  if (!isObject(value)) return false
  const { kind, folder = null } = value
  const texts = kind === 'repository' || kind === 'named' || kind === 'recorded' ? TEXTS[kind] : null
  const isText = (name: string) => typeof value[name] === 'string'
  return texts?.every(isText) === true && (folder === null || typeof folder === 'string')
}

/** The owner who plans or applies; null for the local owner, who has neither a repository token nor a name. */
export type Planner = RepositoryOwner | NamedOwner | null

/**
 * The relation between the owner of a record type and the planner: `same`; `open` for another, unconfirmed owner, whose
 * types can be taken over without a decision; `other` for any other one.
 */
type Relation = 'same' | 'open' | 'other'

/** `owner` is null for the local owner. Others may take over its types. */
export function relationOf(owner: TypeOwner | null, planner: Planner): Relation {
  if (owner === null) return planner === null ? 'same' : 'open'
  if (owner.kind === 'recorded')
    return planner?.kind === 'repository' && !isSameName(owner.name, planner.name) ? 'open' : 'same'
  return planner !== null && isSame(owner, planner) ? 'same' : 'other'
}

function isSame(owner: RepositoryOwner | NamedOwner, planner: RepositoryOwner | NamedOwner): boolean {
  if (owner.kind === 'named' || planner.kind === 'named')
    return owner.kind === planner.kind && owner.name === planner.name
  const isSameFolder = owner.folder === planner.folder || owner.folder === null || planner.folder === null
  return owner.issuer === planner.issuer && owner.id === planner.id && isSameFolder
}

/** The planner as the owner of its types. If the folder is unknown now, the one known before is kept. */
export function asOwner(planner: RepositoryOwner | NamedOwner, before: TypeOwner | null): TypeOwner {
  if (before?.kind !== planner.kind || relationOf(before, planner) !== 'same') return planner
  if (planner.kind !== 'repository' || before.kind !== 'repository') return before
  const folder = planner.folder ?? before.folder
  return planner.name === before.name && folder === before.folder ? before : { ...planner, folder }
}

/** Folders that are too common to be shown. */
const USUAL_FOLDERS: readonly (string | null)[] = [null, 'models', '.']
const LOCAL = 'local'

/** The name of an owner for people: `acme/models`, `acme/models (gateways)`. */
export function ownerName(owner: TypeOwner | null): string {
  if (owner === null) return LOCAL
  if (owner.kind === 'recorded') return repositoryName(owner.name)
  const folder = owner.kind === 'repository' ? owner.folder : null
  return USUAL_FOLDERS.includes(folder) ? owner.name : `${owner.name} (${folder})`
}

function isSameName(one: string, other: string): boolean {
  return repositoryName(one).toLowerCase() === repositoryName(other).toLowerCase()
}

/** The name of a repository: `acme/models` for `git@github.com:acme/models.git` or `https://github.com/acme/models`. */
export function repositoryName(repository: string): string {
  const path = repository.replace(/^(?:[a-z][a-z+.-]*:\/\/[^/]*\/|[^/@]+@[^/:]+:)/i, '')
  return withoutTrailing(path.replace(/^\/+/, ''), '/').replace(/\.git$/, '')
}
