import { bodyOf, recordsOf } from './compare-bodies.ts'
import type { AnyDocument, Body } from './compare-bodies.ts'

export interface LinkSpelling {
  readonly owners: string
  readonly embedded: string
  readonly owner: string
  readonly other: string
}

/** The union of both spellings, each link once. */
export function linkBodies(type: string, spelling: LinkSpelling, document: AnyDocument): Map<string, Body> {
  const embedded = recordsOf(document, spelling.owners).flatMap((owner) => embeddedLinks(spelling, owner))
  const links = [...embedded, ...recordsOf(document, type)].map((link) => bodyOf(type, link))
  return new Map(links.map((link) => [JSON.stringify([link[spelling.owner], link[spelling.other]]), link]))
}

function embeddedLinks({ embedded, owner, other }: LinkSpelling, body: Body): Body[] {
  const list = (body[embedded] ?? []) as readonly Body[]
  return list.map(({ code, ...rest }) => ({ ...rest, [owner]: body['code'], [other]: code }))
}

/** Which old links a document without the top-level key manages: those of its own lists, and those whose end goes. */
export function ownerLinks(
  spelling: LinkSpelling,
  before: AnyDocument,
  after: AnyDocument,
): (ownerCode: string, otherCode: string) => boolean {
  const listed = codes(recordsOf(after, spelling.owners).filter((owner) => owner[spelling.embedded] !== undefined))
  const deletedOwners = deletedCodes(spelling.owners, before, after)
  const deletedOthers = deletedCodes(spelling.embedded, before, after)
  return (owner, other) => listed.has(owner) || deletedOwners.has(owner) || deletedOthers.has(other)
}

function deletedCodes(type: string, before: AnyDocument, after: AnyDocument): ReadonlySet<string> {
  if (after[type] === undefined) return new Set()
  return codes(recordsOf(before, type)).difference(codes(recordsOf(after, type)))
}

function codes(bodies: readonly Body[]): Set<string> {
  return new Set(bodies.map(({ code }) => String(code)))
}
