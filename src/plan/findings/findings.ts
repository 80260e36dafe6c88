import { danglingDiagnostics, type ExternalReference } from '../../documents/checks/dangling.ts'
import type { Diagnostic } from '../../lib/diagnostic.ts'
import { toPointer } from '../../lib/pointer.ts'
import type { RecordBody, RecordKey } from '../../records/record-type.ts'
import { referencesOf } from '../../records/references.ts'
import { recordType } from '../../records/registry.ts'
import { isReserved, reservedText } from '../../records/reserved.ts'
import type { Move } from '../../records/settings.ts'
import type { Draft } from '../compare/draft-changes.ts'
import type { Pointers } from '../pointers.ts'
import type { LiveIndex } from '../live-state.ts'
import { recordId } from '../../records/record-id.ts'

/** Reports references to records of unmanaged types that do not exist on the platform. */
export function danglingExternals(external: readonly ExternalReference[], index: LiveIndex): Diagnostic[] {
  const missing = external.filter(({ type, key }) => index.digests.get(type)?.has(key) !== true)
  return danglingDiagnostics(missing, (type) => [...(index.digests.get(type)?.keys() ?? [])].sort())
}

/**
 * Checks the merged body of each changed record. A document may be valid and yet contradict the fields that it leaves
 * untouched, for example by a boundaryMax below the boundaryMin that only the platform has.
 */
export function invalidMerges(drafts: readonly Draft[], pointers: Pointers): Diagnostic[] {
  const found: Diagnostic[] = []
  for (const { type, key, before, after } of drafts) {
    if (before === null || after === null) continue
    const pointer = pointers.of({ type, key }) ?? `/${type}`
    const check = recordType(type).check
    check?.(withSecretField(type, after), (severity, code, path, message) => {
      const untouched = `${message}; with the fields that the document leaves as they are on the platform`
      if (severity === 'error') found.push({ severity, code, message: untouched, pointer: pointer + toPointer(path) })
    })
  }
  return found
}

/**
 * Reports fields that a record needs and that neither the document nor the platform sets. A creation may need them,
 * or a change may make them necessary.
 */
export function incompleteRecords(drafts: readonly Draft[], pointers: Pointers): Diagnostic[] {
  const found: Diagnostic[] = []
  for (const { type, key, after } of drafts) {
    if (after === null) continue
    recordType(type).checkStored?.(after, (severity, code, path, message) => {
      const pointer = (pointers.of({ type, key }) ?? `/${type}`) + toPointer(path)
      found.push({ severity, code, message: `${type}/${key}: ${message}`, pointer })
    })
  }
  return found
}

/** Adds an empty secret to a body. Bodies hold no secrets, and the checks expect the field. */
function withSecretField(type: RecordKey['type'], body: RecordBody): RecordBody {
  const { secret } = recordType(type)
  return secret === undefined ? body : { ...body, [secret]: '' }
}

/** Makes the test whether a record still refers to another one after the changes. */
export function refersAfter(drafts: readonly Draft[]): (referrer: RecordKey, target: RecordKey) => boolean {
  let changed: ReadonlyMap<string, Draft> | undefined
  return (referrer, target) => {
    // The map is made on first use, because only plans with deletions ask.
    changed ??= new Map(drafts.map((draft) => [recordId({ type: draft.type, key: draft.from ?? draft.key }), draft]))
    const draft = changed.get(recordId(referrer))
    if (draft === undefined) return true
    if (draft.after === null) return false
    return referencesOf(recordType(draft.type), draft.key, draft.after).some(
      (reference) => recordId(reference) === recordId(target),
    )
  }
}

/** Warns about creations with a secret that is not known here, because an apply could not write it. */
export function unresolvedSecrets(drafts: readonly Draft[], pointers: Pointers): Diagnostic[] {
  return drafts
    .filter(({ action, secret }) => action === 'create' && secret === 'not compared')
    .map(({ type, key }) => {
      const field = recordType(type).secret ?? ''
      const message = `${type}/${key} cannot be created here: its ${field} is a reference that is not resolved; set it before you apply`
      return {
        severity: 'warning',
        code: 'secret-not-resolved',
        message,
        pointer: `${pointers.of({ type, key }) ?? `/${type}`}/${field}`,
      }
    })
}

/**
 * Refuses changes that would take a key that the platform reserves for signing in. A record of the model that got
 * such a key before this check existed may still leave it.
 */
export function reservedKeys(
  drafts: readonly Draft[],
  moved: readonly Move[],
  index: LiveIndex,
  pointers: Pointers,
): Diagnostic[] {
  const taking = drafts.filter((draft) => takesReservedKey(draft) && isReserved(draft))
  const leaving = [...moved.entries()].filter(([, move]) => leavesNothing(move, index))
  return [
    ...taking.map(({ type, key }) => {
      const [field] = recordType(type).identity
      const pointer = `${pointers.of({ type, key }) ?? `/${type}`}/${field}`
      return reservedKey({ type, key }, `leave it out, or choose another ${field}`, pointer)
    }),
    ...leaving.map(([index, { type, from }]) =>
      reservedKey({ type, key: from }, 'remove the entry', `/moved/${index}`),
    ),
  ]
}

function takesReservedKey({ action }: Draft): boolean {
  return action === 'create' || action === 'move'
}

function leavesNothing({ type, from }: Move, index: LiveIndex): boolean {
  return isReserved({ type, key: from }) && index.digests.get(type)?.has(from) !== true
}

function reservedKey(record: RecordKey, advice: string, pointer: string): Diagnostic {
  const message = `${reservedText(record)}, which no document creates, changes, moves or deletes: ${advice}`
  return { severity: 'error', code: 'reserved-key', message, pointer }
}
