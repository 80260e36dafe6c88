import type { DomainContext } from '../../src/platform/domain-context.ts'
import { applyAll } from './domain.ts'
import { makeSystem, type Site } from './site.ts'

export type AnySite = Site<string>

/** A system whose components support these characteristics, in a domain that had none. */
export async function makeAnySite(
  context: DomainContext,
  characteristics: { readonly [code: string]: object },
  components = 1,
): Promise<AnySite> {
  await applyAll(context, modelOf(characteristics))
  return makeSystem(context, { model: 'device', name: 'Device' }, components)
}

/** Each characteristic may be reported and set, so that one site serves both. */
function modelOf(characteristics: { readonly [code: string]: object }): object {
  const codes = Object.keys(characteristics)
  return {
    characteristics: codes.map((code) => ({
      code,
      name: code,
      characteristicType: 'SETTING',
      ...characteristics[code],
    })),
    services: [{ code: 'all', name: 'All', characteristics: codes.map((code) => ({ code })) }],
    componentModels: [{ code: 'device', name: 'Device', componentType: 'DEVICE', services: [{ code: 'all' }] }],
  }
}
