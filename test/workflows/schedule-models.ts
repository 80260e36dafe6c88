import type { Files, PlainGit } from './schedule-git.ts'
import {
  contentOf,
  FILES,
  grantKey,
  SERVICES,
  textsOf,
  UNITS,
  unitsOf,
  type Characteristic,
  type Content,
  type Grant,
  type Moved,
  type Node,
  type Service,
} from './schedule-texts.ts'

// What somebody may change in the models, drawn at random.

/** One change of a model, drawn at random. */
export interface Draw {
  readonly kind: (typeof DRAWS)[number]
  readonly record: number
  readonly other: number
  readonly value: number
}

export const DRAWS = [
  'presence',
  'presence',
  'name',
  'symbol',
  'service',
  'service name',
  'link',
  'link',
  'move',
  'move',
  'organization',
  'unit',
  'unit name',
  'unit move',
  'grant',
  'grant',
  'protect',
] as const

/** What several draws make of a commit: the files that change. */
export function edited(git: PlainGit, commit: string, draws: readonly Draw[]): Files {
  const before = textsOf(contentOf(git, commit))
  const after = textsOf(draws.reduce(withDraw, contentOf(git, commit)))
  const paths = [...new Set([...before.keys(), ...after.keys()])]
  const changed = paths.filter((path) => before.get(path) !== after.get(path))
  return Object.fromEntries(changed.map((path) => [path, after.get(path) ?? null]))
}

function withDraw(content: Content, draw: Draw): Content {
  const place = draw.record % FILES.length
  const [found, owner] = [content.characteristics[place] ?? null, content.services[draw.other] ?? null]
  const value = `v${draw.value}`
  switch (draw.kind) {
    case 'presence':
      return found === null
        ? withCharacteristic(content, place, { code: `c${place}`, name: value, symbol: 'u' })
        : withCharacteristic(content, place, null)
    case 'name':
      return found === null ? content : withCharacteristic(content, place, { ...found, name: value })
    case 'symbol':
      return found === null ? content : withCharacteristic(content, place, { ...found, symbol: value })
    case 'move':
      return found === null
        ? content
        : withCharacteristic(content, place, { ...found, code: `${found.code.startsWith('c') ? 'd' : 'c'}${place}` })
    case 'service':
    case 'service name':
      return withService(content, draw, owner, value)
    case 'link':
      return owner === null || found === null ? content : withLink(content, draw.other, owner, found.code)
    case 'organization':
    case 'unit':
    case 'unit name':
    case 'unit move':
      return withTree(content, draw, value)
    case 'grant':
      return withGrant(content, draw)
    case 'protect':
      return found === null ? content : withProtection(content, found.code)
  }
}

function withCharacteristic(content: Content, place: number, after: Characteristic | null): Content {
  const code = content.characteristics[place]?.code
  const rename = (link: { readonly code: string }) =>
    link.code === code ? (after === null ? [] : [{ code: after.code }]) : [link]
  const services = content.services.map(
    (service) => service && { ...service, characteristics: service.characteristics.flatMap(rename) },
  )
  const { decisions } = content
  const isMoved = code !== undefined && after !== null && after.code !== code
  // A decision about a record goes with it.
  const others = decisions.moved.filter(({ to }) => to !== code || (!isMoved && after !== null))
  const moved = isMoved ? [...others, { type: 'characteristics' as const, from: code, to: after.code }] : others
  const names = decisions.protected.flatMap((one) => (one === code ? (after === null ? [] : [after.code]) : [one]))
  return {
    ...content,
    characteristics: content.characteristics.with(place, after),
    services,
    decisions: { ...decisions, moved, protected: names },
  }
}

function withService(content: Content, { kind, other }: Draw, owner: Service | null, name: string): Content {
  const { services } = content
  if (kind === 'service name')
    return owner === null ? content : { ...content, services: services.with(other, { ...owner, name }) }
  const made = { code: SERVICES[other] ?? '', name, characteristics: [] }
  return { ...content, services: services.with(other, owner === null ? made : null) }
}

function withLink(content: Content, at: number, owner: Service, code: string): Content {
  const links = owner.characteristics
  const others = links.filter((link) => link.code !== code)
  const characteristics = others.length < links.length ? others : [...links, { code }]
  return { ...content, services: content.services.with(at, { ...owner, characteristics }) }
}

function withTree(content: Content, { kind, record, other }: Draw, name: string): Content {
  const { organizations } = content
  const alias = UNITS[record % UNITS.length] ?? ''
  const at = organizations.findIndex((one) => unitsOf(one).some((unit) => unit.alias === alias))
  const owner = organizations[at] ?? null
  const unit = unitsOf(owner).find((one) => one.alias === alias)
  const without = owner && { ...owner, organizationUnits: unitsOf(owner).filter((one) => one !== unit) }
  const target = organizations[other] ?? null
  if (kind === 'organization') {
    // The first one stays, so that there is a place for units.
    const made = { alias: 'o1', name, organizationUnits: [] }
    return cleaned({ ...content, organizations: organizations.with(1, organizations[1] == null ? made : null) })
  }
  if (unit === undefined || owner === null) {
    if (kind !== 'unit' || target === null) return content
    return { ...content, organizations: organizations.with(other, withUnit(target, { alias, name })) }
  }
  if (kind === 'unit') return cleaned({ ...content, organizations: organizations.with(at, without) })
  if (kind === 'unit name')
    return { ...content, organizations: organizations.with(at, withUnit({ ...owner, ...without }, { alias, name })) }
  if (target === null || other === at) return content
  return withUnitMoved(
    { ...content, organizations: organizations.with(at, without).with(other, withUnit(target, unit)) },
    {
      type: 'organizations',
      from: `${owner.alias}/${alias}`,
      to: `${target.alias}/${alias}`,
    },
  )
}

function withUnitMoved(content: Content, move: Moved): Content {
  const { decisions } = content
  const moved = [...decisions.moved.filter(({ to }) => to !== move.from), move]
  const access = decisions.access.map((grant) => (grant.within === move.from ? { ...grant, within: move.to } : grant))
  return { ...content, decisions: { ...decisions, moved, access } }
}

function withUnit(owner: Node, unit: Node): Node {
  const units = [...unitsOf(owner), unit]
  return { ...owner, organizationUnits: units.toSorted((a, b) => a.alias.localeCompare(b.alias)) }
}

/** The grants that there may be; what they name has to be there. */
function grantsFor(content: Content): readonly Grant[] {
  return [
    { role: 'viewer', organization: 'o0' },
    { role: 'viewer', organization: 'o1' },
    { role: 'editor', everyone: 'users', within: 'o0' },
    ...nodesOf(content)
      .filter((node) => node.endsWith('/u0'))
      .map((within) => ({ role: 'viewer', everyone: 'users', within })),
  ].filter((grant) => isPossible(grant, content))
}

function isPossible({ organization, within }: Grant, content: Content): boolean {
  const nodes = nodesOf(content)
  return [organization, within].every((node) => node === undefined || nodes.includes(node))
}

function nodesOf({ organizations }: Content): string[] {
  return organizations.flatMap((one) =>
    one === null ? [] : [one.alias, ...unitsOf(one).map(({ alias }) => `${one.alias}/${alias}`)],
  )
}

function withGrant(content: Content, { record }: Draw): Content {
  const possible = grantsFor(content)
  const grant = possible[record % Math.max(1, possible.length)]
  if (grant === undefined) return content
  const others = content.decisions.access.filter((one) => grantKey(one) !== grantKey(grant))
  const access = others.length < content.decisions.access.length ? others : [...others, grant]
  return { ...content, decisions: { ...content.decisions, access } }
}

function withProtection(content: Content, code: string): Content {
  const { decisions } = content
  const others = decisions.protected.filter((one) => one !== code)
  const all = others.length < decisions.protected.length ? others : [...others, code]
  return { ...content, decisions: { ...decisions, protected: all } }
}

/** Without what names a node that is gone. */
function cleaned(content: Content): Content {
  const nodes = nodesOf(content)
  const { access, moved } = content.decisions
  return {
    ...content,
    decisions: {
      ...content.decisions,
      access: access.filter((grant) => isPossible(grant, content)),
      moved: moved.filter(({ type, to }) => type !== 'organizations' || nodes.includes(to)),
    },
  }
}
