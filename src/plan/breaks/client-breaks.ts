import type { RecordKey, RecordTypeName } from '../../records/record-type.ts'
import { recordType, TYPE_ORDER } from '../../records/registry.ts'
import { CLIENT_MODEL, offerOf, supportOf } from '../../records/types/client-model.ts'
import { liveKey, type Draft } from '../compare/draft-changes.ts'
import type { LiveState } from '../live-state.ts'
import type { ClientBreak, ClientBreaks } from '../plan.ts'
import { typeChange } from './type-change.ts'

const { model, service, value, offer, support, event, metadata } = CLIENT_MODEL
const PARTS: ReadonlySet<RecordTypeName> = new Set(Object.values(CLIENT_MODEL))

/** A member of the types of clients, and all records that have it. */
interface Break extends Pick<ClientBreak, 'type' | 'member' | 'change'> {
  readonly keys: readonly string[]
}

/** More members are only counted, and so are more records of one member. */
const MOST_MEMBERS = 1_000
const MOST_KEYS = 5

/**
 * Finds the members of the types of clients that the changes remove, rename or change; null if there are none. It asks
 * the platform two questions at most, and only about records that lose something.
 */
export async function clientBreaks(
  drafts: readonly Draft[],
  live: Pick<LiveState, 'referrers'>,
): Promise<ClientBreaks | null> {
  const losses = new Losses(drafts)
  const found = [
    ...[model, event, metadata].flatMap((type) => losses.ofRecords(type)),
    ...(await breaksOfPaths(losses, live)),
  ].sort(byPlace)
  if (found.length === 0) return null
  const members = found.slice(0, MOST_MEMBERS).map(({ type, keys, ...rest }): ClientBreak => {
    const count = keys.length > MOST_KEYS ? { count: keys.length } : {}
    return { type, keys: keys.slice(0, MOST_KEYS), ...count, ...rest }
  })
  return { count: found.length, members }
}

interface LostService {
  readonly service: string
  readonly model: string
  readonly change: string
}

interface LostValue {
  readonly service: string
  readonly value: string
  readonly change: string
}

/** The changes that can take something from clients. Keys are those on the platform now. */
class Losses {
  readonly #drafts: ReadonlyMap<RecordTypeName, readonly Draft[]>

  constructor(drafts: readonly Draft[]) {
    this.#drafts = Map.groupBy(
      drafts.filter(({ type, before }) => before !== null && PARTS.has(type)),
      ({ type }) => type,
    )
  }

  deleted(type: RecordTypeName): ReadonlySet<string> {
    return new Set(this.#of(type).flatMap((draft) => (draft.after === null ? [keyNow(draft)] : [])))
  }

  ofRecords(type: RecordTypeName): Break[] {
    return this.#of(type).flatMap((draft) => {
      const change = changeOf(draft, draft.key)
      return change === null ? [] : [{ type, keys: [keyNow(draft)], change }]
    })
  }

  /** The services that a component model loses. If the model is deleted, that is enough to know. */
  offers(): LostService[] {
    const gone = this.deleted(model)
    return this.#of(offer).flatMap((draft) => {
      const [lost, next] = [offerOf(keyNow(draft)), offerOf(draft.key)]
      const change = linkChange(draft, lost.service === next.service, allOf(next.service))
      return change === null || gone.has(lost.model) ? [] : [{ ...lost, change }]
    })
  }

  /** The values that a service loses. If the service is deleted, the platform need not be asked who offers it. */
  supports(): LostValue[] {
    const gone = this.deleted(service)
    return this.#of(support).flatMap((draft) => {
      const [lost, next] = [supportOf(keyNow(draft)), supportOf(draft.key)]
      const change = linkChange(draft, lost.value === next.value, pathOf(next))
      return change === null || gone.has(lost.service) ? [] : [{ ...lost, change }]
    })
  }

  /** The characteristics that stay and get another type, with the change. */
  retyped(): ReadonlyMap<string, string> {
    const found = this.#of(value).map((draft) => [keyNow(draft), typeChangeOf(draft)] as const)
    return new Map(found.flatMap(([key, change]) => (change === null ? [] : [[key, change]])))
  }

  #of(type: RecordTypeName): readonly Draft[] {
    return this.#drafts.get(type) ?? []
  }
}

async function breaksOfPaths(losses: Losses, live: Pick<LiveState, 'referrers'>): Promise<Break[]> {
  const offers = losses.offers()
  const values = joined([...losses.supports(), ...(await retypedValues(losses, live))])
  const services = [...new Set([...offers, ...values].map((lost) => lost.service))]
  const links = await askReferrers(live, service, services)
  const supporting = new Set(keysOf(links, support).map((key) => supportOf(key).service))
  const models = modelsOf(keysOf(links, offer), losses)
  const lostServices = offers.filter((lost) => supporting.has(lost.service))
  const byService = Map.groupBy(lostServices, (lost) => JSON.stringify([lost.service, lost.change]))
  return [
    ...[...byService.values()].flatMap((lost) => {
      const [first] = lost
      if (first === undefined) return []
      const keys = lost.map((one) => one.model).sort()
      return [{ type: model, keys, member: allOf(first.service), change: first.change }]
    }),
    ...values.map((lost) => {
      const keys = models.get(lost.service)
      const holder = keys === undefined ? { type: service, keys: [lost.service] } : { type: model, keys }
      return { ...holder, member: pathOf(lost), change: lost.change }
    }),
    ...untold(losses, service, lostServices, (lost) => lost.service),
    ...untold(losses, value, values, (lost) => lost.value),
  ]
}

/**
 * The services or characteristics that clients lose by their own keys, without those that a path tells about. A link
 * that vanishes alone tells nothing about the record that stays.
 */
function untold<Lost extends LostService | LostValue>(
  losses: Losses,
  type: RecordTypeName,
  told: readonly Lost[],
  keyIn: (lost: Lost) => string,
): Break[] {
  const deleted = losses.deleted(type)
  const known = new Set(told.filter((lost) => lost.change !== REMOVED || deleted.has(keyIn(lost))).map(keyIn))
  return losses.ofRecords(type).filter(({ keys: [key = ''] }) => !known.has(key))
}

async function retypedValues(losses: Losses, live: Pick<LiveState, 'referrers'>): Promise<LostValue[]> {
  const retyped = losses.retyped()
  const gone = losses.deleted(support)
  const links = keysOf(await askReferrers(live, value, [...retyped.keys()]), support)
  return links
    .filter((key) => !gone.has(key))
    .map((key) => {
      const found = supportOf(key)
      return { ...found, change: retyped.get(found.value) ?? '' }
    })
}

/** Joins the changes of values that get another name and another type. */
function joined(values: readonly LostValue[]): LostValue[] {
  return [...Map.groupBy(values, pathOf).values()].flatMap((lost) => {
    const [first] = lost
    return first === undefined ? [] : [{ ...first, change: lost.map(({ change }) => change).join(', ') }]
  })
}

/** The component models that keep each service, sorted, by their present keys. */
function modelsOf(offers: readonly string[], losses: Losses): ReadonlyMap<string, readonly string[]> {
  const gone = losses.deleted(offer)
  const kept = offers.filter((key) => !gone.has(key)).sort()
  const groups = Map.groupBy(kept.map(offerOf), (link) => link.service)
  return new Map([...groups].map(([key, links]) => [key, links.map((link) => link.model)]))
}

async function askReferrers(live: Pick<LiveState, 'referrers'>, type: RecordTypeName, keys: readonly string[]) {
  return keys.length === 0 ? [] : (await live.referrers(keys.map((key) => ({ type, key })))).map(({ from }) => from)
}

function keysOf(records: readonly RecordKey[], type: RecordTypeName): string[] {
  return records.flatMap((record) => (record.type === type ? [record.key] : []))
}

function keyNow(draft: Draft): string {
  return liveKey(draft).key
}

function pathOf(link: { readonly service: string; readonly value: string }): string {
  return `${link.service}/${link.value}`
}

function allOf(serviceKey: string): string {
  return `${serviceKey}/*`
}

const REMOVED = 'removed'

/** The change in words; null if clients lose nothing. `name` is the new key. */
function changeOf(draft: Draft, name: string): string | null {
  if (draft.after === null) return REMOVED
  const parts = [draft.action === 'move' ? renamedTo(name) : null, typeChangeOf(draft)].filter((part) => part !== null)
  return parts.length === 0 ? null : parts.join(', ')
}

/**
 * The change of a link in words; null if clients lose nothing. `isSame` tells whether the link's own end of a path
 * keeps its name, and `name` is the new path.
 */
function linkChange({ action, after }: Draft, isSame: boolean, name: string): string | null {
  if (after === null) return REMOVED
  return action === 'move' && !isSame ? renamedTo(name) : null
}

function renamedTo(name: string): string {
  return `renamed to ${name}`
}

function typeChangeOf({ type, before, after }: Draft): string | null {
  const { clientFields } = recordType(type)
  if (clientFields === undefined || before === null || after === null) return null
  return typeChange(clientFields(before), clientFields(after))
}

function byPlace(a: Break, b: Break): number {
  return (
    (TYPE_ORDER.get(a.type) ?? 0) - (TYPE_ORDER.get(b.type) ?? 0) ||
    compare(a.member ?? '', b.member ?? '') ||
    compare(a.keys[0] ?? '', b.keys[0] ?? '')
  )
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
