import type { Change, Plan } from '../../plan/plan.ts'

/** Changes that become text at a time. */
const SLICE = 1_000

/**
 * What the platform compares and executes of a plan, as JSON text in pieces; bodies, impact and messages would only be
 * megabytes on the way. Without `withChanges` the digest stands for them.
 */
export function* effectsText(plan: Plan, withChanges: boolean): Generator<Uint8Array> {
  const { formatVersion, domain, digest, references } = plan
  const scope = plan.scope.map(({ type, state }) => ({ type, state }))
  const { state, changes } = plan.access
  const access = { state, ...(withChanges && { changes: changes.map(effectOf) }) }
  const head = JSON.stringify({ formatVersion, domain, digest, scope, access })
  yield Buffer.from(`${head.slice(0, -1)},"references":${JSON.stringify(references)}`)
  if (withChanges) yield* changesText(plan.changes)
  yield Buffer.from('}')
}

function* changesText(changes: Plan['changes']): Generator<Uint8Array> {
  yield Buffer.from(',"changes":[')
  for (let start = 0; start < changes.length; start += SLICE) {
    const effects = JSON.stringify(changes.slice(start, start + SLICE).map(effectOf)).slice(1, -1)
    yield Buffer.from(start === 0 ? effects : `,${effects}`)
  }
  yield Buffer.from(']')
}

/** Members that are undefined are left out of the text. */
function effectOf({ type, key, from, action, beforeDigest, afterDigest, secret }: Change) {
  return { type, key, from, action, beforeDigest, afterDigest, secret }
}
