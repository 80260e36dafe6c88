import type { Characteristic, Organization, OrganizationUnit } from '../../generated/import-document.ts'
import type { RecordBody } from '../records/record-type.ts'
import type { GraphqlClient } from '../client/graphql-client.ts'
import { READ_MODEL, type ModelAnswer } from './graphql-queries.ts'

/** The part of the platform's data model that the simulation needs. */
export interface PlatformModel {
  /** The uuid of the domain. */
  readonly domain: string
  characteristic(code: string): RecordBody | undefined
  /** Tells whether components of this model can be created and may send. */
  hasComponentModel(code: string): boolean
  hasEventModel(code: string, isSinglePoint: boolean): boolean
  hasMetadataType(entityType: string, key: string): boolean
  /** Tells whether there is a unit with this record key. */
  hasUnit(key: string): boolean
}

export async function readModel(request: GraphqlClient): Promise<PlatformModel> {
  const { currentDomain, importDocument: live } = await request<ModelAnswer>(READ_MODEL, {})
  const characteristics = new Map(live.characteristics?.map((one) => [one.code, bodyOf(one)]))
  const models = new Set(live.componentModels?.filter(isActivated).map(({ code }) => code))
  const events = new Map(live.eventModels?.filter(isActivated).map(({ code, eventType }) => [code, eventType]))
  return {
    domain: currentDomain.uuid,
    characteristic: (code) => characteristics.get(code),
    hasComponentModel: (code) => models.has(code),
    hasEventModel: (code, isSinglePoint) => events.get(code) === (isSinglePoint ? 'SINGLE_POINT' : 'RANGED'),
    hasMetadataType: (entityType, key) =>
      live.metadataTypes?.some((type) => type.entityType === entityType && type.key === key) ?? false,
    hasUnit(key) {
      const [organization = '', ...path] = key.split('/')
      const units = live.organizations?.find((one) => nameOf(one) === organization)?.organizationUnits
      return hasPath(units ?? [], path)
    },
  }
}

/** Removes the nulls, because a document has null where a body has nothing. */
function bodyOf(characteristic: Characteristic): RecordBody {
  return Object.fromEntries(Object.entries(characteristic).filter(([, value]) => value !== null))
}

function isActivated({ status }: { readonly status?: string }): boolean {
  return (status ?? 'ACTIVATED') === 'ACTIVATED'
}

function hasPath(units: readonly OrganizationUnit[], [first, ...rest]: readonly string[]): boolean {
  if (first === undefined) return true
  const unit = units.find((one) => nameOf(one) === first)
  return unit !== undefined && hasPath(unit.directChildren ?? [], rest)
}

function nameOf({ alias, name }: Organization | OrganizationUnit): string {
  return alias ?? name
}
