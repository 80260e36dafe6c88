import type { Sql } from '../../../db/sql.ts'
import { metadataRules, type MetadataRules } from '../../../documents/checks/metadata-rules.ts'
import type { Snapshot } from '../../../documents/snapshot.ts'
import { digestOf } from '../../../lib/digest.ts'
import type { KeyedDigest } from '../../../plan/keyed-digests.ts'
import type { WhyNotCompared } from '../../../plan/plan.ts'
import type { LiveIndex, LiveState, MachineRule, SecretAnswer, SecretQuestion } from '../../../plan/live-state.ts'
import { recordId } from '../../../records/record-id.ts'
import type { MetadataRule, RecordBody, RecordTypeName } from '../../../records/record-type.ts'
import { recordType, RECORD_TYPES, typeThatSignsIn } from '../../../records/registry.ts'
import { GENERATED_FINGERPRINT, Secret } from '../../../records/secret.ts'
import { fetchImpact } from '../../../store/datapoints/points/impact.ts'
import { fetchDrift } from '../../../store/model/drift.ts'
import { readHeldValues, isHeldByData } from '../../../store/model/metadata-values.ts'
import { fetchAllRecords, fetchDigests, fetchRecords, fetchRecordsWithMetadata } from '../../../store/model/records.ts'
import { rulesOf as rulesOfMethod } from '../../../auth/method-configuration.ts'
import { fetchDevices } from '../../../store/access/system-credentials.ts'
import { fetchMethods } from '../../../store/access/authentication-methods.ts'
import { toMethod } from '../../access/methods/method.ts'
import { findPlatformRecord } from '../../../store/access/platform-records.ts'
import { fetchReferrers } from '../../../store/model/record-references.ts'
import { fetchScopeMemory, type ScopeMemory } from '../../../store/model/type-owners.ts'
import { fetchSecrets, type StoredSecret } from '../../../store/model/secrets.ts'
import { lookAgain, type Look } from '../../datapoints/redefining/look-again.ts'
import { answersFrom, impactFrom, type EarlierLook } from '../../datapoints/redefining/look-first.ts'
import type { DomainContext } from '../../domain-context.ts'
import type { HashingContext } from '../../hash-first.ts'
import { othersFor, type Asker } from './planner.ts'

/** The live state of a domain, as seen by the transaction that is about to change it. */
export interface LiveDomain extends LiveState {
  /** Fails if stored values arrived that were not checked. Must be called last, under the lock of the model. */
  lookAgain(): Promise<void>
  /** The domain's memory of its applies. */
  memory(): Promise<ScopeMemory>
}

/**
 * `asker` is left out for single records, which have no owner that asks. `earlier` is the check of the data before the
 * domain's lock; left out for a mere plan.
 */
export function liveDomain(sql: Sql, context: HashingContext, asker?: Asker, earlier?: EarlierLook): LiveDomain {
  const { domain } = context
  let read: Promise<ReadIndex> | undefined
  const readIndex = () => (read ??= fetchIndex(sql, domain.id, asker))
  const looks: Look[] = []
  let impacts: EarlierLook['impacts'] = new Map()
  return {
    domain: domain.slug,
    keyedDigest: keyedDigest(context),
    index: async () => (await readIndex()).index,
    memory: async () => (await readIndex()).memory,
    records: (keys) => fetchRecords(sql, domain.id, keys),
    referrers: (keys) => fetchReferrers(sql, domain.id, keys),
    withMetadata: (metadataKeys) => fetchRecordsWithMetadata(sql, domain.id, metadataKeys),
    heldMetadata: (keys) =>
      readHeldValues(
        sql,
        domain.id,
        keys.filter(({ entity }) => isHeldByData(entity)),
      ),
    ...(earlier === undefined
      ? { impact: (records) => fetchImpact(sql, domain.id, records) }
      : {
          onlyGuards: true,
          impact: async (records) => (impacts = await impactFrom(sql, domain.id, earlier, records)),
          data: (questions) => answersFrom(sql, domain.id, earlier, { questions, impacts }, (look) => looks.push(look)),
        }),
    standingAdministrators: () => countStandingAdministrators(sql, domain.id),
    machineRules: () => fetchMachineRules(sql, domain.id),
    devices: (keys) => fetchDevices(sql, domain.id, keys),
    compareSecrets: (questions) => compareSecrets(sql, context, questions, earlier !== undefined),
    async lookAgain() {
      for (const look of looks) await lookAgain(sql, domain.id, look)
    },
  }
}

/** Keyed digests of records. Key and digest have fixed lengths, so nothing can be appended to the hashed text. */
export function keyedDigest({ domain, key }: Pick<DomainContext, 'domain' | 'key'>): KeyedDigest {
  const prefix = Buffer.from(key.derive(`holdfast record digests ${domain.slug}`)).toString('hex')
  return (digest) => digestOf(prefix + digest)
}

interface ReadIndex {
  readonly index: LiveIndex
  readonly memory: ScopeMemory
}

async function fetchIndex(sql: Sql, domainId: number, asker: Asker | undefined): Promise<ReadIndex> {
  const digests = await fetchDigests(sql, domainId)
  const memory = await fetchScopeMemory(sql, domainId)
  const drift = await fetchDrift(sql, domainId)
  const index = {
    digests,
    managed: memory.managed,
    ...(asker !== undefined && { others: othersFor(asker, memory) }),
    drift: new Map(
      drift.map((row) => {
        const { base, actor, changedAt, fields } = row
        return [recordId(row), { base, actor, at: changedAt.toISOString(), fields }]
      }),
    ),
  }
  return { index, memory }
}

/** Counts the platform's own machine users that no record of the model has replaced. */
async function countStandingAdministrators(sql: Sql, domainId: number): Promise<number> {
  const { name: type, reserved = [] } = typeThatSignsIn('machine')
  let count = 0
  for (const key of reserved) if ((await findPlatformRecord(sql, domainId, { type, key })) !== null) count += 1
  return count
}

/** The rules by which tokens of other providers act for machine users. */
async function fetchMachineRules(sql: Sql, domainId: number): Promise<MachineRule[]> {
  const methods = (await fetchMethods(sql, domainId)).map(toMethod)
  return methods.flatMap((method) => {
    if (method.kind === 'internal' || method.status !== 'ACTIVATED') return []
    return rulesOfMethod(method.configuration).flatMap(({ name, machineUser, scopes }) =>
      machineUser === null ? [] : [{ machineUser, rule: name, method: method.name, scopes }],
    )
  })
}

/** Compares secrets. With `isChange`, it also requests the hashes of changed secrets, which later steps need. */
async function compareSecrets(
  sql: Sql,
  context: HashingContext,
  questions: readonly SecretQuestion[],
  isChange: boolean,
): Promise<ReadonlyMap<string, SecretAnswer>> {
  const types = [...new Set(questions.map(({ type }) => type))]
  const stored = new Map(
    (await fetchSecrets(sql, context.domain.id, types)).map((secret) => [recordId(secret), secret]),
  )
  const compared = questions.map((question): ComparedSecret => {
    const { type, key, liveKey, secret } = question
    const live = stored.get(recordId({ type, key: liveKey }))
    const fingerprint = fingerprintOf(context, question, live)
    const isChanged = fingerprint !== null && fingerprint !== live?.fingerprint
    if (isChange && isChanged && secret instanceof Secret) context.hashes.hash({ type, key }, secret)
    return { question, live, fingerprint: fingerprint ?? '' }
  })
  context.hashes.requireAll()
  return new Map(compared.map((one) => [recordId(one.question), answerTo(context, one)]))
}

interface ComparedSecret {
  readonly question: SecretQuestion
  readonly live: StoredSecret | undefined
  readonly fingerprint: string
}

/** The fingerprint that the record should have; null if it is not computed yet. */
function fingerprintOf(
  { hashes }: Pick<HashingContext, 'hashes'>,
  { type, key, secret }: SecretQuestion,
  live: StoredSecret | undefined,
): string | null {
  if (secret === 'generated') return GENERATED_FINGERPRINT
  if (secret instanceof Secret) return hashes.fingerprint(type, live?.salt ?? key, secret)
  return typeof secret === 'object' ? secret.fingerprint : (live?.fingerprint ?? '')
}

function answerTo(
  { domain, secrets }: Pick<HashingContext, 'domain' | 'secrets'>,
  { question: { type, liveKey, secret }, live, fingerprint }: ComparedSecret,
): SecretAnswer {
  if (secret === 'keep') return { state: 'unchanged', fingerprint }
  const isGenerated = live?.fingerprint === GENERATED_FINGERPRINT
  if (secret === 'generated') return { state: isGenerated ? 'unchanged' : 'generated', fingerprint }
  if (secret === 'unresolved') return uncompared(isGenerated ? 'still-generated' : 'not-resolved', fingerprint)
  const isSame = fingerprint === live?.fingerprint
  const guess = { domain: domain.uuid, id: recordId({ type, key: liveKey }), fingerprint, isRight: isSame }
  // A secret that a rollback restores is not a guess.
  if (live !== undefined && secret instanceof Secret && !secrets.mayTell(guess))
    return uncompared('too-many-guesses', live.fingerprint)
  if (isSame) return { state: 'unchanged', fingerprint }
  return { state: isGenerated ? 'no longer generated' : 'changed', fingerprint }
}

/** The answer if nothing was compared. The digest of the record then reveals nothing about its secret. */
function uncompared(why: WhyNotCompared, fingerprint: string): SecretAnswer {
  return { state: 'not compared', notCompared: why, fingerprint }
}

/** The metadata types of the platform. A document that does not manage them needs them. */
export async function liveMetadataRules(sql: Sql, domainId: number): Promise<MetadataRules> {
  return metadataRules(rulesOf(await fetchAllRecords(sql, domainId, RULING_TYPES)))
}

/** The metadata types as they will be after a rollback. */
export async function restoredMetadataRules(sql: Sql, domainId: number, snapshot: Snapshot): Promise<MetadataRules> {
  const live = await fetchAllRecords(sql, domainId, RULING_TYPES)
  const kept = live.filter(({ type, key }) => snapshot.get(type)?.covers(key) !== true)
  const restored = RULING_TYPES.flatMap((type) => [...(snapshot.get(type)?.records.values() ?? [])])
  return metadataRules(rulesOf([...kept, ...restored]))
}

const RULING_TYPES: readonly RecordTypeName[] = RECORD_TYPES.filter(
  ({ metadataRule }) => metadataRule !== undefined,
).map(({ name }) => name)

function rulesOf(records: readonly { readonly type: RecordTypeName; readonly body: RecordBody }[]): MetadataRule[] {
  return records.flatMap(({ type, body }) => recordType(type).metadataRule?.(body) ?? [])
}
