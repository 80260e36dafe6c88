import type { JsonObject } from '../../src/lib/json.ts'
import type { PlainGit } from './schedule-git.ts'

// Small models with one file for each record, a line for each field, and a way to say what they want without any plan.

const CODES = ['c0', 'c1', 'c2', 'c3']
const SERVICES = ['s0', 's1']

/** One change of a model, drawn at random. */
export interface Draw {
  readonly kind: 'presence' | 'name' | 'symbol' | 'service' | 'service name' | 'link'
  readonly record: number
  readonly other: number
  readonly value: number
}

interface Characteristic {
  readonly name: string
  readonly symbol: string
}

interface Service {
  readonly name: string
  readonly links: readonly string[]
}

/** What a draw makes of a commit: the files that change. */
export function edited(git: PlainGit, commit: string, draw: Draw): { [path: string]: string | null } {
  const code = CODES[draw.record % CODES.length] ?? ''
  const service = SERVICES[draw.other % SERVICES.length] ?? ''
  const before = characteristicIn(git, commit, code)
  const owner = serviceIn(git, commit, service)
  const value = `v${draw.value}`
  switch (draw.kind) {
    case 'presence':
      return before === null
        ? { [pathOf('c', code)]: characteristicText(code, { name: value, symbol: 'u' }) }
        : { [pathOf('c', code)]: null, ...unlinked(git, commit, code) }
    case 'name':
      return before === null ? {} : { [pathOf('c', code)]: characteristicText(code, { ...before, name: value }) }
    case 'symbol':
      return before === null ? {} : { [pathOf('c', code)]: characteristicText(code, { ...before, symbol: value }) }
    case 'service':
      return { [pathOf('s', service)]: owner === null ? serviceText(service, { name: value, links: [] }) : null }
    case 'service name':
      return owner === null ? {} : { [pathOf('s', service)]: serviceText(service, { ...owner, name: value }) }
    case 'link': {
      if (owner === null || before === null) return {}
      const links = owner.links.includes(code) ? owner.links.filter((link) => link !== code) : [...owner.links, code]
      return { [pathOf('s', service)]: serviceText(service, { ...owner, links: links.sort() }) }
    }
  }
}

/** Without a characteristic, no service may have it. */
function unlinked(git: PlainGit, commit: string, code: string): { [path: string]: string } {
  const found = SERVICES.flatMap((name) => {
    const service = serviceIn(git, commit, name)
    if (service === null || !service.links.includes(code)) return []
    return [
      [pathOf('s', name), serviceText(name, { ...service, links: service.links.filter((link) => link !== code) })],
    ]
  })
  return Object.fromEntries(found) as { [path: string]: string }
}

function pathOf(kind: 'c' | 's', code: string): string {
  return `models/${kind}-${code}.yaml`
}

function characteristicText(code: string, { name, symbol }: Characteristic): string {
  return `characteristics:\n  - code: ${code}\n\n    name: ${name}\n\n    characteristicType: MEASUREMENT\n    dataType: FLOAT\n\n    symbol: ${symbol}\n`
}

function serviceText(code: string, { name, links }: Service): string {
  const list = links.length === 0 ? ' []' : `\n${links.map((link) => `      - code: ${link}\n`).join('\n')}`
  return `services:\n  - code: ${code}\n\n    name: ${name}\n\n    characteristics:${list}\n`
}

function characteristicIn(git: PlainGit, commit: string, code: string): Characteristic | null {
  const text = git.read(commit, pathOf('c', code))
  return text === null ? null : { name: fieldIn(text, 'name'), symbol: fieldIn(text, 'symbol') }
}

function serviceIn(git: PlainGit, commit: string, code: string): Service | null {
  const text = git.read(commit, pathOf('s', code))
  if (text === null) return null
  return {
    name: fieldIn(text, 'name'),
    links: [...text.matchAll(/^ {6}- code: (\w+)$/gm)].map(([, link = '']) => link),
  }
}

function fieldIn(text: string, field: string): string {
  return new RegExp(`^ {4}${field}: (.*)$`, 'm').exec(text)?.[1] ?? ''
}

/** What the platform has at first. Something stays, so that no record type is emptied or leaves the models. */
export const BEGINNING = {
  'models/keep.yaml':
    'characteristics:\n  - { code: keep, name: Keep, characteristicType: MEASUREMENT, dataType: FLOAT, symbol: k }\nservices:\n  - { code: keep, name: Keep, characteristics: [] }\n',
  ...Object.fromEntries(
    ['c0', 'c1', 'c2'].map((code) => [pathOf('c', code), characteristicText(code, { name: code, symbol: 'u' })]),
  ),
  [pathOf('s', 's0')]: serviceText('s0', { name: 's0', links: ['c0'] }),
}

/** What there is or shall be, by names of records. */
export type Wanted = ReadonlyMap<string, string>

interface Sent {
  readonly code: string
  readonly name: string
  readonly symbol?: string
  readonly characteristics?: readonly { readonly code: string }[]
}

export function wantedBy(document: JsonObject): Wanted {
  const [characteristics, services] = [
    document['characteristics'],
    document['services'],
  ] as unknown as readonly Sent[][]
  return new Map([
    ...(characteristics ?? []).map(
      ({ code, name, symbol }) => [`characteristics/${code}`, `${name} ${symbol}`] as const,
    ),
    ...(services ?? []).flatMap(({ code, name, characteristics: links = [] }) => [
      [`services/${code}`, name] as const,
      ...links.map((link) => [`characteristicServiceLinks/${link.code}/${code}`, ''] as const),
    ]),
  ])
}

/** The same of the bodies of a platform. */
export function foundOn(bodies: ReadonlyMap<string, string>): Wanted {
  const found = [...bodies].flatMap(([id, text]) => {
    const body = JSON.parse(text) as { readonly [field: string]: unknown }
    if (id.startsWith('characteristics/')) return [[id, `${String(body['name'])} ${String(body['symbol'])}`] as const]
    if (id.startsWith('services/')) return [[id, String(body['name'])] as const]
    if (id.startsWith('characteristicServiceLinks/')) return [[id, ''] as const]
    return []
  })
  return new Map(found)
}

/** The names of records that are not the same in both. */
export function differing(one: Wanted, other: Wanted): string[] {
  return [...new Set([...one.keys(), ...other.keys()])].filter((id) => one.get(id) !== other.get(id))
}

/** The records that a record needs. */
export function neededBy(id: string): string[] {
  const [type, first = '', second = ''] = id.split('/')
  return type === 'characteristicServiceLinks' ? [`characteristics/${first}`, `services/${second}`] : []
}
