import type { Characteristic, ImportDocument, Organization, OrganizationUnit } from '../../generated/import-document.ts'
import type { Call, Holdfast } from '../api-client/index.ts'
import type { RecordBody } from '../records/record-type.ts'
import { DOCUMENTS } from './documents.ts'

/** The part of the platform's data model that the simulation needs. */
export interface PlatformModel {
  /** The uuid of the domain. */
  readonly domain: string
  readonly characteristics: ReadonlyMap<string, RecordBody>
  /** The codes of models whose components can be created and may send datapoints. */
  readonly componentModels: ReadonlySet<string>
  /** The types of event models, by code. */
  readonly eventModels: ReadonlyMap<string, string | undefined>
  /** For example `SYSTEM/commissioned-at`. */
  readonly metadataTypes: ReadonlySet<string>
  /** The record keys of organization units. */
  readonly units: ReadonlySet<string>
}

export async function readModel(holdfast: Holdfast, call?: Call): Promise<PlatformModel> {
  const { currentDomain, importDocument } = await holdfast.query(DOCUMENTS.Model, {}, call)
  const live = importDocument as ImportDocument
  return {
    domain: currentDomain.uuid,
    characteristics: new Map(live.characteristics?.map((one) => [one.code, bodyOf(one)])),
    componentModels: new Set(live.componentModels?.filter(isActivated).map(({ code }) => code)),
    eventModels: new Map(live.eventModels?.filter(isActivated).map(({ code, eventType }) => [code, eventType])),
    metadataTypes: new Set(live.metadataTypes?.map(({ entityType, key }) => `${entityType}/${key}`)),
    units: new Set(live.organizations?.flatMap((one) => keysBelow(nameOf(one), one.organizationUnits))),
  }
}

/** Removes nulls. The platform returns null for absent members, while a record body leaves them out. */
function bodyOf(characteristic: Characteristic): RecordBody {
  return Object.fromEntries(Object.entries(characteristic).filter(([, value]) => value !== null))
}

function isActivated({ status }: { readonly status?: string }): boolean {
  return (status ?? 'ACTIVATED') === 'ACTIVATED'
}

function keysBelow(parent: string, units: readonly OrganizationUnit[] | undefined): string[] {
  return (units ?? []).flatMap((unit) => {
    const key = `${parent}/${nameOf(unit)}`
    return [key, ...keysBelow(key, unit.directChildren)]
  })
}

function nameOf({ alias, name }: Organization | OrganizationUnit): string {
  return alias ?? name
}
