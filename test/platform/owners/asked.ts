import { expect } from 'vitest'
import { settingsOf } from '../../../src/documents/read/settings-file.ts'
import { allRows, type Plan } from '../../../src/plan/plan.ts'
import type { DomainContext } from '../../../src/platform/domain-context.ts'
import { applyImport } from '../../../src/platform/imports/applying/apply-import.ts'
import { planImport } from '../../../src/platform/imports/planning/plan-import.ts'
import { NO_SETTINGS, type Settings } from '../../../src/records/settings.ts'
import { validPlan } from '../../support/valid-plan.ts'

// What two repositories ask of one domain.

export const source = (code: string, name = code) => ({ code, name, description: null })
export const SOURCES = { dataSources: [source('weather')] }
export const CHARACTERISTICS = {
  characteristics: [{ code: 'c', name: 'C', characteristicType: 'MEASUREMENT', dataType: 'FLOAT' }],
}
export const PEOPLE = { organizations: [{ name: 'Acme', alias: 'acme' }] }

interface Asked {
  readonly settings?: Settings
  readonly folder?: string
  readonly base?: object
}

export async function plan(context: DomainContext, document: object, asked: Asked = {}): Promise<Plan> {
  const { settings = NO_SETTINGS, folder = 'models', base } = asked
  const sent = base === undefined ? {} : { base: { document: difference(document, base), settings: {} } }
  const made = await planImport(context, document, settings, undefined, { origin: { folder }, ...sent })
  return validPlan(made.plan)
}

/** What the command line sends of a base that has the same records, in other types. */
function difference(document: object, base: object): object {
  const types = new Set([...Object.keys(document), ...Object.keys(base)])
  const of = (type: string) => (type in base ? { without: [], with: [] } : null)
  return Object.fromEntries(
    [...types].filter((type) => type in document && !(type in base)).map((type) => [type, of(type)]),
  )
}

export async function apply(context: DomainContext, document: object, asked: Asked = {}) {
  const { settings = NO_SETTINGS, folder = 'models' } = asked
  const origin = { folder, repository: 'acme/said' }
  return applyImport(context, { document, settings, plan: await plan(context, document, asked), origin })
}

export function row(made: Plan, type: string) {
  const found = allRows(made).find((one) => one.type === type)
  if (found === undefined) throw new Error(`there is no row of ${type}`)
  return found
}

export const allowing = (...types: readonly string[]): Settings =>
  settingsOf({ acknowledge: types.map((type) => ({ code: 'takes-ownership', type: type as 'dataSources' })) })

export const refused = (message: RegExp) => ({ code: 'BLOCKED', message: expect.stringMatching(message) })
