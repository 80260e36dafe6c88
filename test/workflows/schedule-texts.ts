import { parse } from 'yaml'
import type { Files, PlainGit } from './schedule-git.ts'

// Small models with one file for each record, a line for each field, and one for each decision of holdfast.yaml, so that
// Git can merge most of what two people change.

export interface Characteristic {
  readonly code: string
  readonly name: string
  readonly symbol: string
}

export interface Service {
  readonly code: string
  readonly name: string
  readonly characteristics: readonly { readonly code: string }[]
}

export interface Node {
  readonly alias: string
  readonly name: string
  readonly organizationUnits?: readonly Node[]
}

export interface Grant {
  readonly role: string
  readonly organization?: string
  readonly everyone?: string
  readonly within?: string
}

export interface Moved {
  readonly type: 'characteristics' | 'organizations'
  readonly from: string
  readonly to: string
}

export interface Decisions {
  /** The codes of characteristics that must not be deleted. */
  readonly protected: readonly string[]
  readonly moved: readonly Moved[]
  readonly access: readonly Grant[]
}

/** What is in a commit. A characteristic keeps its file when it gets another code. */
export interface Content {
  readonly characteristics: readonly (Characteristic | null)[]
  readonly services: readonly (Service | null)[]
  readonly organizations: readonly (Node | null)[]
  readonly decisions: Decisions
}

export const FILES = ['0', '1', '2', '3']
export const SERVICES = ['s0', 's1']
export const ORGANIZATIONS = ['o0', 'o1']
export const UNITS = ['u0', 'u1']
export const SETTINGS = 'models/holdfast.yaml'

export function unitsOf(node: Node | null | undefined): readonly Node[] {
  return node?.organizationUnits ?? []
}

/** The key of a grant, as a plan shows it. */
export function grantKey({ role, organization, everyone, within }: Grant): string {
  const subject = organization === undefined ? ['everyone', everyone] : ['organization', organization]
  const place = within === undefined ? [] : ['within', within.replaceAll('/', '~1')]
  return [role, ...subject, ...place].join('/')
}

export function contentOf(git: PlainGit, commit: string): Content {
  const list = (path: string, type: string): readonly unknown[] => {
    const text = git.read(commit, path)
    return text === null ? [] : ((parse(text) as { readonly [type: string]: readonly unknown[] })[type] ?? [])
  }
  const only = <T>(path: string, type: string) => (list(path, type)[0] ?? null) as T | null
  return {
    characteristics: FILES.map((name) => only<Characteristic>(`models/c-${name}.yaml`, 'characteristics')),
    services: SERVICES.map((name) => only<Service>(`models/s-${name}.yaml`, 'services')),
    organizations: ORGANIZATIONS.map((name) => only<Node>(`models/o-${name}.yaml`, 'organizations')),
    decisions: {
      protected: (list(SETTINGS, 'protect') as { key: string }[]).map(({ key }) => key).filter(isNotKept),
      moved: (list(SETTINGS, 'moved') as Moved[]).filter(({ to }) => isNotKept(to)),
      access: (list(SETTINGS, 'access') as Grant[]).filter(({ role }) => role !== 'operator'),
    },
  }
}

function isNotKept(key: string): boolean {
  return key !== 'keep'
}

export function textsOf({ characteristics, services, organizations, decisions }: Content): ReadonlyMap<string, string> {
  return new Map([
    ...named('c', FILES, characteristics, characteristicText),
    ...named('s', SERVICES, services, serviceText),
    ...named('o', ORGANIZATIONS, organizations, organizationText),
    [SETTINGS, settingsText(decisions)],
  ])
}

function named<T>(kind: string, names: readonly string[], items: readonly (T | null)[], text: (item: T) => string) {
  return items.flatMap((item, at) => (item === null ? [] : [[`models/${kind}-${names[at]}.yaml`, text(item)] as const]))
}

function characteristicText({ code, name, symbol }: Characteristic): string {
  return `characteristics:\n  - code: ${code}\n\n    name: ${name}\n\n    characteristicType: MEASUREMENT\n    dataType: FLOAT\n\n    symbol: ${symbol}\n`
}

function serviceText({ code, name, characteristics }: Service): string {
  const links = characteristics.map((link) => link.code).sort(byNumber)
  const list = links.length === 0 ? ' []' : `\n${links.map((link) => `      - code: ${link}\n`).join('\n')}`
  return `services:\n  - code: ${code}\n\n    name: ${name}\n\n    characteristics:${list}\n`
}

function byNumber(a: string, b: string): number {
  return a.slice(1).localeCompare(b.slice(1))
}

function organizationText(node: Node): string {
  const units = unitsOf(node).map(({ alias, name }) => `      - alias: ${alias}\n\n        name: ${name}\n`)
  const list = units.length === 0 ? ' []' : `\n${units.join('\n')}`
  return `organizations:\n  - alias: ${node.alias}\n\n    name: ${node.name}\n\n    organizationUnits:${list}\n`
}

/** A list with a place for each entry, between lines that never change. */
function section(
  name: string,
  always: readonly string[],
  places: readonly (readonly [string, readonly string[]])[],
): string {
  const lines = places.map(
    ([label, entries]) => `\n  # ${label}\n\n${entries.map((entry) => `  - ${entry}\n`).join('')}`,
  )
  return `${name}:\n${always.map((entry) => `  - ${entry}\n`).join('')}${lines.join('')}\n`
}

function settingsText({ protected: names, moved, access }: Decisions): string {
  const codes = FILES.map((place) => [`c${place}`, `d${place}`] as const)
  const grants = GRANT_PLACES.map((label) => [label, access.filter((grant) => placeOf(grant) === label)] as const)
  return [
    section(
      'protect',
      ['{ type: characteristics, key: keep }'],
      codes.map((pair) => [
        pair[0],
        names.filter((one) => pair.some((code) => code === one)).map((key) => `{ type: characteristics, key: ${key} }`),
      ]),
    ),
    section(
      'moved',
      ['{ type: characteristics, from: kept, to: keep }'],
      [...codes.map((pair) => pair[0]), ...UNITS].map((label) => [
        label,
        moved
          .filter(({ to }) => (label.startsWith('u') ? to.endsWith(`/${label}`) : to.slice(1) === label.slice(1)))
          .map(({ type, from, to }) => `{ type: ${type}, from: ${from}, to: ${to} }`),
      ]),
    ),
    section(
      'access',
      ['{ role: operator, everyone: users }', '{ role: operator, everyone: machineUsers }'],
      grants.map(([label, found]) => [label, found.map((grant) => JSON.stringify(grant))]),
    ),
  ].join('\n')
}

const GRANT_PLACES = ['viewer of o0', 'viewer of o1', 'editor in o0', 'viewer in u0']

function placeOf({ organization, within }: Grant): string {
  if (organization !== undefined) return `viewer of ${organization}`
  return within === 'o0' ? 'editor in o0' : 'viewer in u0'
}

const keep =
  'characteristics:\n  - { code: keep, name: Keep, characteristicType: MEASUREMENT, dataType: FLOAT, symbol: k }\nservices:\n  - { code: keep, name: Keep, characteristics: [] }\norganizations:\n  - { alias: keep, name: Keep }\n'

/** What the platform has at first. Something stays, so that no record type is emptied or leaves the models. */
export const BEGINNING: Files = {
  'models/keep.yaml': keep,
  ...Object.fromEntries(
    textsOf({
      characteristics: [...['c0', 'c1', 'c2'].map((code) => ({ code, name: code, symbol: 'u' })), null],
      services: [{ code: 's0', name: 's0', characteristics: [{ code: 'c0' }] }, null],
      organizations: [
        { alias: 'o0', name: 'o0', organizationUnits: [{ alias: 'u0', name: 'u0' }] },
        { alias: 'o1', name: 'o1', organizationUnits: [] },
      ],
      decisions: { protected: [], moved: [], access: [{ role: 'viewer', organization: 'o0' }] },
    }),
  ),
}
